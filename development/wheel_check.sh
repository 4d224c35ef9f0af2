#!/bin/sh
# Builds the wheel from what git would ship, installs it into a clean environment and sees that the
# twistd plugin, the console script and the package data are there.
set -eu
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/source"
git archive HEAD | tar -x -C "$work/source"
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade pip
"$work/venv/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$work/dist" "$work/source"
"$work/venv/bin/python" -m zipfile -l "$work"/dist/*.whl >"$work/names"
for wanted in reticle/py.typed twisted/plugins/reticle_plugin.py reticle/page/ reticle/storage/migrations/; do
    grep -q "$wanted" "$work/names" || { echo "wheel_check: $wanted is not in the wheel" >&2; exit 1; }
done
if grep -qE 'twisted/(plugins/)?__init__\.py|dropin\.cache|^tests/' "$work/names"; then
    echo "wheel_check: the wheel holds a file that breaks other packages" >&2
    exit 1
fi
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$work"/dist/*.whl
cd "$work"
"$work/venv/bin/twistd" --help >"$work/help"
grep -q '^ *reticle ' "$work/help" || { echo "wheel_check: twistd --help does not list reticle" >&2; exit 1; }
"$work/venv/bin/twist" --help >"$work/help"
grep -q reticle "$work/help" || { echo "wheel_check: twist does not list reticle" >&2; exit 1; }
"$work/venv/bin/reticle" --version
"$work/venv/bin/python" -c "import reticle.page; assert len(reticle.page.joined()) > 10_000"
# The bundled first migration must run from the installed package.
"$work/venv/bin/python" -m reticle doctor --help >/dev/null
echo "wheel_check: ok"
