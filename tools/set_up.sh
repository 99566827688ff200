#!/bin/sh
# Make .venv with everything the project needs, or say in one sentence what is missing.
set -eu
python="$1"

if ! command -v "$python" >/dev/null 2>&1; then
    echo "dbt-trickle needs Python 3.10 or newer: install it, or name it with 'make PYTHON=/path/to/python3 …'." >&2
    exit 1
fi
if ! "$python" -c 'import sys; raise SystemExit(sys.version_info < (3, 10))'; then
    echo "dbt-trickle needs Python 3.10 or newer, and $python is $("$python" -V 2>&1): name another with 'make PYTHON=… '." >&2
    exit 1
fi
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    echo "$python cannot make virtual environments: install its venv package (on Debian: apt install python3-venv)." >&2
    exit 1
fi
java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
if ! command -v "$java" >/dev/null 2>&1; then
    echo "dbt-trickle needs Java 17 or 21: install it (on Debian: apt install openjdk-17-jre-headless), or set JAVA_HOME." >&2
    exit 1
fi
major=$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
case "$major" in
    17 | 21) ;;
    *)
        echo "dbt-trickle needs Java 17 or 21, and $java is ${major:-of an unknown version}: set JAVA_HOME to another." >&2
        exit 1
        ;;
esac

echo "Setting up .venv (a minute or two, once) …"
[ -x .venv/bin/python ] || "$python" -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
