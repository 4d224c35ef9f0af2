"""
The console script and ``python -m reticle``.
"""

from __future__ import annotations


def main() -> None:
    """
    Run the command line; imported here so that a stdio front can start without click.
    """
    from reticle.cli.main import main as run  # noqa: PLC0415 - see above

    run()


if __name__ == "__main__":
    main()
