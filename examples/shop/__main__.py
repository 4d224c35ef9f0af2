"""
A small shop to try reticle on: ``python examples/shop --port 8000``. Standard library only.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

if not __package__:  # run as a folder: Python looks for modules in it, and the package is two above
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from examples.shop.stock import Stock
from examples.shop.variants import FAULTS, TRAPS
from examples.shop.web import ShopServer


def main() -> None:
    """
    Serve until interrupted; the first line of output says where.
    """
    listed = [f"  ?fault={name:16} {what}" for name, what in FAULTS.items()]
    listed += [f"  ?trap={name:17} {what}" for name, what in TRAPS.items()]
    parser = argparse.ArgumentParser(
        description="A small shop with faults to plant.",
        epilog="\n".join(["variants:", *listed]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one")
    parser.add_argument("--database", default=":memory:", help="a new SQLite file")
    parser.add_argument(
        "--reticle-port",
        type=int,
        default=int(os.environ.get("RETICLE_PORT", "4400")),
        help="where /sdk.js comes from (RETICLE_PORT); 0 leaves the script out",
    )
    chosen = parser.parse_args()
    stock = Stock(chosen.database)
    server = ShopServer(chosen.port, stock, chosen.reticle_port)
    print(f"shop: http://127.0.0.1:{server.server_address[1]}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


if __name__ == "__main__":
    main()
