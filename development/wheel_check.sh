#!/bin/sh
# Builds wheel and sdist from what git would ship, installs each into a clean environment and sees that the
# twistd plugin, the console script and the package data are there (PK-01): under a path with a space, from
# other working directories, in a read-only site-packages; and that nothing is left after uninstalling.
set -eu
python=${PYTHON:-python3}
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
work=$(mktemp -d)
venv="$work/a venv"
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

fail() {
    echo "wheel_check: $1" >&2
    exit 1
}

# The caller's pip works on the clean environment: to put one in there takes as long as all the checks.
pip() {
    "$python" -m pip --python "$venv/bin/python" --quiet --disable-pip-version-check "$@"
}

# Runs a command that must succeed, keeps what it prints in $work/help, and wants no traceback in it.
quietly() {
    "$@" >"$work/help" 2>&1 || { cat "$work/help" >&2; fail "$* failed"; }
    ! grep -q Traceback "$work/help" || { cat "$work/help" >&2; fail "$* printed a traceback"; }
}

# Every road to the installed package; the arguments go before each command (another user, say).
check_installed() {
    quietly "$@" "$venv/bin/twistd" --help
    grep -q '^ *reticle ' "$work/help" || fail "twistd --help does not list reticle"
    quietly "$@" "$venv/bin/twistd" reticle --help
    quietly "$@" "$venv/bin/twist" --help
    grep -q reticle "$work/help" || fail "twist does not list reticle"
    quietly "$@" "$venv/bin/reticle" --version
    quietly "$@" "$venv/bin/python" -c "import reticle.page; assert len(reticle.page.joined()) > 10_000"
    # The bundled first migration must run from the installed package.
    quietly "$@" "$venv/bin/python" -m reticle doctor --help
}

mkdir "$work/source" "$work/elsewhere"
git archive HEAD | tar -x -C "$work/source"
"$python" -m venv --without-pip "$venv"
# The back end that pyproject.toml names, once for all three builds.
"$venv/bin/python" - "$work/source/pyproject.toml" >"$work/requires" <<'END'
import sys, tomllib
print("\n".join(tomllib.load(open(sys.argv[1], "rb"))["build-system"]["requires"]))
END
pip install --target "$work/backend" --requirement "$work/requires"
(export PYTHONPATH="$work/backend"; pip wheel --no-build-isolation --no-deps --wheel-dir "$work/dist" "$work/source")
"$venv/bin/python" -m zipfile -l "$work"/dist/*.whl >"$work/names"
for wanted in reticle/py.typed twisted/plugins/reticle_plugin.py reticle/page/ reticle/relay/offline/ reticle/storage/migrations/; do
    grep -q "$wanted" "$work/names" || fail "$wanted is not in the wheel"
done
! grep -qE 'twisted/(plugins/)?__init__\.py|dropin\.cache|^tests/' "$work/names" ||
    fail "the wheel holds a file that breaks other packages"

cd "$work"
pip install "$work"/dist/*.whl
pip show --files txreticle >"$work/files of the wheel"
check_installed

# The plugin cache that the calls above wrote still names reticle.
pip uninstall --yes txreticle
quietly "$venv/bin/twistd" --help
! grep -q reticle "$work/help" || fail "twistd --help still names reticle after it was uninstalled"

# The sdist must install to the same files.
(cd source && PYTHONPATH="$work/backend" "$venv/bin/python" -c 'from setuptools import build_meta; build_meta.build_sdist("../dist")' >"$work/log" 2>&1) ||
    { cat "$work/log" >&2; fail "the sdist cannot be built"; }
(export PYTHONPATH="$work/backend"; pip install --no-build-isolation --no-deps "$work"/dist/*.tar.gz)
pip show --files txreticle >"$work/files of the sdist"
diff "$work/files of the wheel" "$work/files of the sdist" >&2 || fail "wheel and sdist install different files"

# Nobody can write the plugin cache there: an installation by root, used by others. Root may write everything,
# so it gives up that right where it can (Linux, with the capability to do so).
find "$venv" -name dropin.cache -delete
chmod -R a-w "$venv"
cd "$work/elsewhere"
set -- setpriv --bounding-set=-dac_override,-dac_read_search
[ "$(id -u)" -eq 0 ] || set -- env
if "$@" true 2>/dev/null; then
    check_installed "$@"
    [ -z "$(find "$venv" -name dropin.cache)" ] || fail "the environment was not read-only"
else
    echo "wheel_check: read-only site-packages not looked at: root cannot give up writing everything here"
    check_installed
fi
echo "wheel_check: ok"
