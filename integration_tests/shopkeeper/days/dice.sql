-- Chance that is the same wherever and whenever it is thrown: a hash of the seed, of what it decides, and of a number.

-- dice
create or replace temporary function dice(what string, number bigint, sides int)
returns int
return cast(pmod(xxhash64($seed, what, number), sides) as int)
