"""Functions of texts and bytes."""

from __future__ import annotations

from trickle.functions.record import Function, Rule, each
from trickle.types import STRING, Simple

TEXTS = (
    *each("aes_decrypt try_aes_decrypt", Function("2-5", "ibdfDTNzamtv ibdfDTNzamtv amt amt")),
    *each("ascii char_length character_length length", Function("1", "amt", Simple.INT)),
    *each("base64 crc32 sha", Function("1", "ibdfDTNzamtv")),
    *each(
        "bit_length is_valid_utf8 len luhn_check make_valid_utf8 octet_length quote try_validate_utf8 unbase64 "
        "unhex validate_utf8",
        Function("1", "amt"),
    ),
    *each("btrim ltrim rtrim trim", Function("1-2", "amt amt", STRING)),
    *each("char chr space", Function("1", "DTNzamtxv")),
    *each("collate", Function("2")),
    *each("collation soundex", Function("1", "ibdfDTNzamtxv")),
    *each("concat_ws", Function("1+", "amt mt mt mt", STRING)),
    *each("contains endswith startswith", Function("2", "amt amt", Simple.BOOLEAN)),
    *each("elt", Function("2+", "DTNzamtxv amt amt amt")),
    *each("encode find_in_set regexp_count regexp_like", Function("2", "amt amt")),
    *each("format_string printf", Function("1+", "amt", STRING)),
    *each("hash xxhash64", Function("1+", "mv mv mv mv")),
    *each("hex initcap lcase lower ucase upper", Function("1", "amt", STRING)),
    *each("instr", Function("2", "amt amt", Simple.INT)),
    *each("left repeat right", Function("2", "amt DTNzamtxv")),
    *each("levenshtein regexp_extract_all regexp_instr", Function("2-3", "amt amt DTNzamtxv")),
    *each("locate position", Function("2-3", "amt amt DTNzamtxv", Simple.INT)),
    *each("lpad rpad", Function("2-3", "amt DTNzamtxv amt", STRING)),
    *each("mask", Function("0-5", "ibdfDTNzamtxv ibdfDTNzamtxv! ibdfDTNzamtxv! ibdfDTNzamtxv!")),
    *each("md5 sha1", Function("1", "ibdfDTNzamtv", STRING)),
    *each("overlay", Function("3-4", "amt amt DTNzamtxv DTNzamtxv")),
    *each("regexp_extract", Function("2-3", "amt amt DTNzamtxv", STRING)),
    *each("regexp_replace", Function("3-4", "amt amt amt DTNzamtxv!", STRING)),
    *each("regexp_substr", Function("2", "amt amt", STRING)),
    *each("replace", Function("2-3", "amt amt amt", STRING)),
    *each("sentences", Function("1-3", "amt amt amt")),
    *each("sha2", Function("2", "ibdfDTNzamtv DTNzamtxv", STRING)),
    *each("split", Function("2-3", "amt amt DTNzamtxv", Rule.ARRAY)),
    *each("split_part substring_index", Function("3", "amt amt DTNzamtxv", STRING)),
    *each("substr substring", Function("2-3", "amt DTNzamtxv DTNzamtxv", STRING)),
    *each("to_binary try_to_binary", Function("1-2", "amt !")),
    *each("translate", Function("3", "amt amt amt", STRING)),
)
