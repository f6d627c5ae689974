"""The shell script that leads the programs of another container here, for it to be sourced.

It brings all it needs: files of this server are no files there. It must be harmless to source,
twice too, under ``set -eu`` too, and by any POSIX shell.
"""

from pathlib import Path
from typing import Final

from msgspec import Struct

from fakestripe.server.intercept import variables
from fakestripe.server.intercept.trust import BUNDLES
from fakestripe.server.intercept.variables import DIRECT, HERE, NAMES, Files, Variable
from fakestripe.server.leading import HOOKS, PRELOAD

FOLDER: Final = "$fakestripe_dir"
FILES: Final = Files(f"{FOLDER}/ca.p12", f"{FOLDER}/preload.cjs", f"{FOLDER}/python")
BEGIN: Final = """\
# Leads code with https://api.stripe.com written in it to the fakestripe at {place}.
# To be sourced: eval "$(curl -fsS '{url}env?for={client}')"
fakestripe_dir=$(mktemp -d "${{TMPDIR:-/tmp}}/fakestripe.XXXXXX")
"""
WRITTEN: Final = """\
cat > "$fakestripe_dir/{name}" <<'END_OF_FAKESTRIPE'
{text}
END_OF_FAKESTRIPE
"""
BUNDLED: Final = """\
for fakestripe_each in "${{SSL_CERT_FILE:-/}}" {bundles}; do
  if [ -f "$fakestripe_each" ]; then break; fi
done
if [ -f "$fakestripe_each" ]; then cat "$fakestripe_each" > "$fakestripe_dir/bundle.pem"; fi
cat "$fakestripe_dir/ca.pem" >> "$fakestripe_dir/bundle.pem"
"""
FETCHED: Final = """\
if command -v curl > /dev/null; then
  curl -fsSk --noproxy '*' -o "$fakestripe_dir/ca.p12" '{url}ca.p12'
else
  wget -q --no-check-certificate -O "$fakestripe_dir/ca.p12" '{url}ca.p12'
fi
"""
FREED: Final = """\
case ",${NO_PROXY:-},${no_proxy:-}," in
*stripe.com*|*,.com,*|*,com,*|*'*'*)
  echo 'fakestripe: NO_PROXY lets Stripe pass, and is replaced' >&2
  NO_PROXY='' no_proxy='' ;;
esac
"""
END: Final = """\
chmod -R a+rX "$fakestripe_dir"
unset fakestripe_dir fakestripe_each
"""


class Asked(Struct, frozen=True):
    """For whom a script is, and what it leads to.

    ``url`` is the admin side as the caller reached it, ``place`` (HOST:PORT) who answers under
    TLS, ``proxy`` the URL of the proxy, None where there is none.
    """

    client: str
    url: str
    place: str
    host: str
    proxy: str | None = None


def script(asked: Asked, ca_pem: bytes) -> str:
    """Return the script for one kind of client, or for all of them."""
    ca, bundle = f"{FOLDER}/ca.pem", f"{FOLDER}/bundle.pem"
    direct = (*HERE, *({asked.host} - set(HERE)))
    table = (
        *variables.trusting(ca, bundle),
        *variables.leading(asked.place, FILES, direct, asked.proxy),
    )
    wanted = NAMES.get(asked.client)
    chosen = [each for each in table if wanted is None or each.name in wanted]
    return "".join((*_files(asked, ca_pem, chosen), *map(_exported, chosen), END))


def _files(asked: Asked, ca_pem: bytes, chosen: list[Variable]) -> list[str]:
    """Return the parts that write what the variables name."""
    named = "".join(each.value for each in chosen)
    parts = [BEGIN.format(place=asked.place, url=asked.url, client=asked.client)]
    parts.append(WRITTEN.format(name="ca.pem", text=ca_pem.decode().rstrip()))
    if "bundle.pem" in named:
        parts.append(BUNDLED.format(bundles=" ".join(BUNDLES)))
    if "ca.p12" in named:
        parts.append(FETCHED.format(url=asked.url))
    if "preload.cjs" in named:
        parts.append(WRITTEN.format(name="preload.cjs", text=Path(PRELOAD).read_text().rstrip()))
    if any(each.name == "PYTHONPATH" for each in chosen):
        hook = Path(HOOKS) / "sitecustomize.py"
        name = f"python/{hook.name}"
        parts.append(f'mkdir "{FOLDER}/python"\n')
        parts.append(WRITTEN.format(name=name, text=hook.read_text().rstrip()))
    if any(each.name in DIRECT for each in chosen):
        parts.append(FREED)
    return parts


def _exported(variable: Variable) -> str:
    if variable.beside_only:
        added = f'export {variable.name}="${variable.name}{variable.between}{variable.value}"'
        return f'if [ -n "${{{variable.name}:-}}" ]; then {added}; fi\n'
    name, value, between = variable.name, variable.value, variable.between
    if name in DIRECT:
        between = ","
    if not between:
        return f'export {name}="{value}"\n'
    if variable.first:
        return f'export {name}="{value}${{{name}:+{between}${name}}}"\n'
    return f'export {name}="${{{name}:+${name}{between}}}{value}"\n'
