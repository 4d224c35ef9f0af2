"""
An app for the tests of a driven browser: everything that only a person can do, dialogs, downloads, new tabs.
"""

from __future__ import annotations

from tests.system.web_app import QuietHandler

SHOP = """<!doctype html><title>Shop</title><script>
const say = (words) => {{ note.textContent = words }};
const choose = () => {{
  try {{ picker.showPicker(); say('Picker') }} catch (error) {{ say(error.name) }}
}};
const fill = () =>
  document.documentElement.requestFullscreen().then(() => say('Full'), () => say('No screen'));
onload = () => {{
  card.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'card');
  for (const zone of [left, right]) {{
    zone.ondragover = (event) => event.preventDefault();
    zone.ondrop = (event) => {{
      zone.append(document.getElementById(event.dataTransfer.getData('text/plain')));
      say('In ' + zone.id);
    }};
  }}
}};
</script>
<style>#left, #right {{ height: 60px; width: 200px; border: 1px solid }}</style>
<p id=note role=status></p>
<button onclick="say([event.isTrusted, navigator.userActivation.isActive,
  document.activeElement === this].join())">Trusted</button>
<button onclick="fill()">Fullscreen</button>
<button onclick="navigator.clipboard.writeText('x').then(() => say('Copied'))">Copy</button>
<button onclick="choose()">Choose</button><input id=picker type=file hidden>
<button onclick="say(window.open('/other', '_blank') ? 'Opened' : 'Blocked')">Window</button>
<button onclick="for (let n = 0; n < 30; n += 1) window.open('/other'); say('Flooded')">Flood</button>
<a href=/other target=_blank>New tab</a>
<button onclick="say('Said ' + confirm('Sure?'))">Confirm</button>
<button onclick="alert('Hello'); say('After')">Alert</button>
<button onclick="say('Named ' + prompt('Name?', 'Ada'))">Prompt</button>
<a href=/list.csv download>List</a> <a href=/list.csv target=_blank>List in a tab</a>
<form action=/sent><input name=q aria-label=Query><button>Send</button></form>
<div contenteditable role=textbox aria-label=Editor>old</div>
<select aria-label=Size onchange="say([this.value, event.isTrusted].join())">
<option>S<option>M<option>L</select>
<input type=date aria-label=Day onchange="say([this.value, event.isTrusted].join())">
<div id=left role=group aria-label=Left><b id=card draggable=true role=img aria-label=Card>Card</b></div>
<div id=right role=group aria-label=Right></div>"""

KEEPING = SHOP + "<script>onbeforeunload = (event) => event.preventDefault()</script>"

OUTER = """<!doctype html><title>Outer</title><a href=/other target=_blank>New tab</a>
<button onclick="lid.hidden = false">Cover</button>
<div id=lid hidden style="position: fixed; inset: 32px 0 0 0; background: #eee"></div>
<iframe src="{other}/framed" title=Framed style="display: block"></iframe>"""

FRAMED = """<!doctype html><title>Framed</title>
<button onclick="document.title = 'Said ' + confirm('Framed?')">Inner</button>
<button onclick="document.title = 'Trusted ' + event.isTrusted">Trusted</button>"""

NESTED = """<!doctype html><title>Nested</title><p>Around</p>
<iframe src="{other}/middle" title=Middle style="margin: 30px; width: 500px; height: 300px"></iframe>"""

MIDDLE = """<!doctype html><title>Middle</title><p>In between</p>
<button onclick="lid.hidden = false">Cover</button>
<div id=lid hidden style="position: fixed; inset: 60px 0 0 0; background: #eee"></div>
<iframe src="{third}/framed" title=Framed style="display: block; margin: 20px; border: 5px solid"></iframe>"""

LIST = b"name,price\nPear,2\n"

PAGES = {
    "/": SHOP,
    "/keeping": KEEPING,
    "/outer": OUTER,
    "/framed": FRAMED,
    "/nested": NESTED,
    "/middle": MIDDLE,
}
ELSE = "<!doctype html><title>Other</title><p>Other page"


class DrivenApp(QuietHandler):
    """
    A page for everything, and a file.
    """

    def do_GET(self) -> None:
        """
        One of them; under its other name the same server is another origin.
        """
        path = self.path.partition("?")[0]
        if path == "/list.csv":
            self.send_response(200)
            self.send_header("Content-Type", "text/csv")
            self.send_header("Content-Disposition", "attachment")
            self.send_header("Content-Length", str(len(LIST)))
            self.end_headers()
            self.wfile.write(LIST)
            return
        port = self.headers["Host"].rpartition(":")[2]
        names = {"other": f"http://localhost:{port}", "third": f"http://app.localhost:{port}"}
        self.answer(200, "text/html", PAGES.get(path, ELSE).format(**names).encode())
