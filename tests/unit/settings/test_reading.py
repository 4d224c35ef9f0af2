"""
Flags, environment, file and embedding: one road, one answer.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.model.codes import Toolset
from reticle.settings import (
    OPTIONS,
    ConfigurationFault,
    HttpAddress,
    SecretText,
    Settings,
    find_config,
    read_settings,
    working_directory,
)
from reticle.settings.parsers import TOOLSETS


def write(path: Path, text: str, mode: int = 0o600) -> Path:
    """
    A file with content and mode.
    """
    path.write_text(text)
    path.chmod(mode)
    return path


def test_defaults_serve_this_machine_only(tmp_path: Path) -> None:
    """
    Nothing said: port 4400 on loopback, no token, and every value says that it is a default.
    """
    settings = read_settings({}, {}, tmp_path)
    assert (settings.port, settings.host, settings.token) == (4400, "127.0.0.1", None)
    assert {settings.origin(option.name) for option in OPTIONS} == {"default"}


def test_flags_beat_environment_beats_file(tmp_path: Path) -> None:
    """
    The nearest word wins, and each value knows who said it.
    """
    config = write(tmp_path / "reticle.toml", 'port = 1\nlog_level = "debug"\nlog_format = "json"\n')
    settings = read_settings(
        {"port": "3"}, {"RETICLE_PORT": "2", "RETICLE_LOG_LEVEL": "error", "RETICLE_HOST": ""}, tmp_path
    )
    assert (settings.port, settings.log_level, settings.log_format) == (3, "error", "json")
    assert settings.origin("port") == "flag --port"
    assert settings.origin("log_level") == "environment RETICLE_LOG_LEVEL"
    assert settings.origin("log_format") == f"file {config}"
    assert settings.origin("host") == "default"
    assert settings.config_file == config


def test_a_bad_value_that_is_overridden_does_no_harm(tmp_path: Path) -> None:
    """
    A broken variable in the environment does not stop a command line that overrides it.
    """
    assert read_settings({"port": 5}, {"RETICLE_PORT": "abc"}, tmp_path).port == 5


ONE_VALUE = st.one_of(
    st.tuples(st.just("port"), st.one_of(st.integers(-2, 70_000), st.sampled_from(["abc", "4e3", "²"]))),
    st.tuples(st.just("host"), st.sampled_from(["127.0.0.1", "::1", "[::1]", "localhost", "0.0.0.0", "a/b"])),
    st.tuples(st.just("log_format"), st.sampled_from(["text", "json", "JSON", "xml"])),
    st.tuples(st.just("log_level"), st.sampled_from(["debug", "warn", "warning", "loud"])),
    st.tuples(
        st.just("detectors"), st.sampled_from(["shop.checks:totals", "a:b, c.d:e", "totals", "a:1", ":"])
    ),
    st.tuples(
        st.just("disabled_detectors"), st.sampled_from(["focus-lost", "focus-lost, uncaught-error", ""])
    ),
    st.tuples(st.just("log_file"), st.sampled_from(["/srv/reticle.log", "x/../y.log"])),
    st.tuples(st.just("state_dir"), st.sampled_from(["/srv/state", "state"])),
)


@given(ONE_VALUE)
def test_every_way_of_saying_a_value_gives_the_same_answer(pair: tuple[str, object]) -> None:
    """
    A flag, a variable, a key of the file and an embedding call all give the same settings or refusal.
    """
    name, value = pair
    with tempfile.TemporaryDirectory() as folder:
        start = Path(folder)
        (start / ".git").mkdir()
        answers = [answer({name: str(value)}, {}, start)]
        answers.append(answer({name: value}, {}, start))
        answers.append(answer({}, {f"RETICLE_{name.upper()}": str(value)}, start))
        quoted = str(value) if isinstance(value, int) else f'"{value}"'
        write(start / "reticle.toml", f"{name} = {quoted}\n")
        answers.append(answer({}, {}, start))
    assert [a.replace("'", "") for a in answers] == [answers[0].replace("'", "")] * 4


def answer(flags: dict[str, object], environ: dict[str, str], start: Path) -> str:
    """
    The settings as text, or the refusal's words.
    """
    try:
        settings = read_settings(flags, environ, start)
    except ConfigurationFault as fault:
        return f"refused: {fault.message}"
    return repr(
        [
            getattr(settings, name)
            for name in ("port", "host", "log_format", "log_level", "log_file", "state_dir")
        ]
    )


def test_an_unknown_key_is_refused_with_the_nearest_spelling(tmp_path: Path) -> None:
    """
    A misspelt key in reticle.toml stops the start and names what was meant.
    """
    write(tmp_path / "reticle.toml", "prot = 4401\n")
    with pytest.raises(ConfigurationFault) as caught:
        read_settings({}, {}, tmp_path)
    assert caught.value.message == f"{tmp_path}/reticle.toml: unknown key prot; did you mean port?"


@pytest.mark.parametrize("text", ["port = ", "port = 1\nport = 2", "\xff"])
def test_a_broken_file_is_one_line(tmp_path: Path, text: str) -> None:
    """
    A reticle.toml that is no TOML is refused by name.
    """
    (tmp_path / "reticle.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigurationFault) as caught:
        read_settings({}, {}, tmp_path)
    assert caught.value.message.startswith(f"{tmp_path}/reticle.toml cannot be read: ")
    assert caught.value.recovery == f"mend {tmp_path}/reticle.toml"


def test_a_token_does_not_belong_in_a_project_file(tmp_path: Path) -> None:
    """
    A pairing token in a file that gets committed is refused.
    """
    write(tmp_path / "reticle.toml", 'token = "abc"\n')
    with pytest.raises(ConfigurationFault, match="token may not stand in this file") as caught:
        read_settings({}, {}, tmp_path)
    assert caught.value.recovery == "use RETICLE_TOKEN instead"


def test_the_file_is_found_from_a_sub_folder_up_to_the_project_root(tmp_path: Path) -> None:
    """
    Settings of a project hold in its sub-folders, and a file above the project does not count.
    """
    project = tmp_path / "shop"
    deep = project / "web" / "static"
    deep.mkdir(parents=True)
    write(tmp_path / "reticle.toml", "port = 1\n")
    assert read_settings({}, {}, deep).port == 4400
    (project / ".git").mkdir()
    assert read_settings({}, {}, deep).port == 4400
    write(project / "reticle.toml", "port = 2\n")
    assert read_settings({}, {}, deep).port == 2


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    """
    ``--config`` with a wrong path is refused, not ignored; relative paths in it are relative to it.
    """
    with pytest.raises(ConfigurationFault, match="does not exist"):
        read_settings({"config": "nowhere.toml"}, {}, tmp_path)
    (tmp_path / "etc").mkdir()
    write(tmp_path / "etc" / "r.toml", 'state_dir = "state"\n')
    assert (
        read_settings({}, {"RETICLE_CONFIG": "etc/r.toml"}, tmp_path).state_dir == tmp_path / "etc" / "state"
    )


def test_embedding_reads_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    An app that embeds us gets what it asked for, whatever lies in its working directory.
    """
    write(tmp_path / "reticle.toml", "port = 1\n")
    monkeypatch.chdir(tmp_path)
    assert read_settings({"host": "::1"}, {}).port == 4400


REMOTE = {"RETICLE_HOST": "0.0.0.0"}


@pytest.mark.parametrize(
    ("environ", "content", "mode", "refusal"),
    [
        ({}, None, 0, "host 0.0.0.0 is reachable from other machines and no pairing token is set"),
        ({"RETICLE_TOKEN": ""}, None, 0, "host 0.0.0.0 is reachable"),
        ({"RETICLE_TOKEN": "\n"}, None, 0, "host 0.0.0.0 is reachable"),
        ({"RETICLE_TOKN": "s3cret"}, None, 0, "host 0.0.0.0 is reachable"),
        ({"RETICLE_TOKEN": "two words"}, None, 0, "must be printable ASCII"),
        ({"RETICLE_TOKEN": "dtok_a.b"}, None, 0, "not a capability token"),
        ({}, "", 0o600, "host 0.0.0.0 is reachable"),
        ({}, "\n", 0o600, "host 0.0.0.0 is reachable"),
        ({}, "s3cret\n", 0o644, "can be read by others"),
        ({}, "s3cret\n", 0o620, "can be read by others"),
        ({}, "x" * 5_000, 0o600, "is too long for a token"),
        ({}, "schlüssel", 0o600, "is not plain ASCII text"),
    ],
)
def test_a_missing_token_never_means_open(
    tmp_path: Path, environ: dict[str, str], content: str | None, mode: int, refusal: str
) -> None:
    """
    Beyond loopback the daemon does not start without a good token, and no refusal shows the token.
    """
    if content is not None:
        path = write(tmp_path / "token", content, mode)
        environ = {**environ, "RETICLE_TOKEN_FILE": str(path)}
    with pytest.raises(ConfigurationFault) as caught:
        read_settings({}, {**REMOTE, **environ}, tmp_path)
    assert refusal in caught.value.message
    assert "s3cret" not in caught.value.message + caught.value.recovery


def test_a_pipe_is_no_token_file(tmp_path: Path) -> None:
    """
    A pipe that nobody writes into is refused, and not waited for.
    """
    path = tmp_path / "token"
    os.mkfifo(path, 0o600)
    with pytest.raises(ConfigurationFault, match="is no plain file"):
        read_settings({}, {"RETICLE_TOKEN_FILE": str(path)}, tmp_path)


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_a_token_file_may_end_with_a_newline(tmp_path: Path, ending: str) -> None:
    """
    A token written by an editor is the same token.
    """
    path = write(tmp_path / "token", "s3cret" + ending)
    settings = read_settings({"token_file": path, "host": "0.0.0.0"}, {}, tmp_path)
    assert settings.token == SecretText("s3cret")
    assert settings.origin("token") == "flag --token-file"
    assert "s3cret" not in repr(settings) + str(settings.token)


def test_a_missing_token_file_is_named(tmp_path: Path) -> None:
    """
    A token file that cannot be read stops the start, also on loopback.
    """
    with pytest.raises(ConfigurationFault) as caught:
        read_settings({}, {"RETICLE_TOKEN_FILE": "none"}, tmp_path)
    assert caught.value.message == f"token file {tmp_path}/none cannot be read: No such file or directory"


def test_two_tokens_at_once_are_refused(tmp_path: Path) -> None:
    """
    A token and a token file from the same place: nobody could say which one counts.
    """
    path = write(tmp_path / "token", "one")
    with pytest.raises(ConfigurationFault, match="two tokens"):
        read_settings({}, {"RETICLE_TOKEN": "two", "RETICLE_TOKEN_FILE": str(path)}, tmp_path)


def test_a_misspelt_variable_is_noted(tmp_path: Path) -> None:
    """
    ``RETICLE_TOKN`` is pointed out; variables of clients and browsers are left alone.
    """
    settings = read_settings({}, {"RETICLE_TOKN": "x", "RETICLE_BROWSER": "y", "RETICLE_URL": "z"}, tmp_path)
    assert settings.notes == ("RETICLE_TOKN is not a setting; did you mean RETICLE_TOKEN?",)


def test_what_hands_a_token_to_an_agent_is_no_misspelt_setting(tmp_path: Path) -> None:
    """
    Who follows the page about tokens is not told to unset the variables that it names.
    """
    handed_on = ("RETICLE_MCP_URL", "RETICLE_MCP_TOKEN", "RETICLE_MCP_TOKEN_FILE")
    assert read_settings({}, dict.fromkeys(handed_on, "x"), tmp_path).notes == ()


def test_an_unknown_flag_of_an_embedding_app_is_refused(tmp_path: Path) -> None:
    """
    ``read_settings({"prt": 1}, {})`` does not pass silently.
    """
    with pytest.raises(ConfigurationFault, match="unknown setting prt; did you mean port"):
        read_settings({"prt": 1}, {}, tmp_path)


def test_an_unknown_home_is_refused_with_what_to_do() -> None:
    """
    ``~somebody`` of whom the machine knows nothing is a wrong setting and not a bug of ours.
    """
    with pytest.raises(ConfigurationFault) as caught:
        read_settings({"state_dir": "~nobody-of-that-name/state"}, {})
    assert caught.value.message == "the home directory in ~nobody-of-that-name/state is not known"
    assert caught.value.recovery == "give the path without ~"


def test_a_removed_working_directory_does_not_stop_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Whoever deletes the folder of the shell that starts the daemon gets a daemon all the same.
    """
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert working_directory() is None
    assert read_settings({"port": "0"}, {}, working_directory()).port == 0


def test_a_folder_that_cannot_be_looked_into_holds_no_file(tmp_path: Path) -> None:
    """
    A start below a closed home or on a strange path finds no file there and goes on.
    """
    assert find_config(tmp_path / ("x" * 300)) is None


def test_the_second_seeds_variables_are_read_where_ours_are_not_set(tmp_path: Path) -> None:
    """
    A machine that was set up for the second seed's daemon works with ours, and our own spelling wins.
    """
    older = {"STRIATUM_DAEMON_RUNTIME_DIR": "/run/old", "STRIATUM_DAEMON_MCP_HTTP_ADDR": "127.0.0.1:8765"}
    settings = read_settings({}, older, tmp_path)
    assert settings.runtime_dir == Path("/run/old")
    assert settings.mcp_http_addr == HttpAddress("127.0.0.1", 8765)
    assert settings.origin("mcp_http_addr") == "environment STRIATUM_DAEMON_MCP_HTTP_ADDR"
    assert read_settings({}, {**older, "RETICLE_MCP_HTTP_ADDR": "off"}, tmp_path).mcp_http_addr is None


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("127.0.0.1:8765", ("127.0.0.1", 8765)), ("localhost:0", ("localhost", 0)),
        ("[::1]:9", ("::1", 9)), ("off", None), ("OFF", None),
    ],
)  # fmt: skip
def test_the_second_listener_is_told_by_one_word(
    tmp_path: Path, told: str, address: tuple[str, int] | None
) -> None:
    """
    A host and a port, or ``off``; in the file as everywhere else.
    """
    wanted = None if address is None else HttpAddress(*address)
    assert read_settings({"mcp_http_addr": told}, {}, tmp_path).mcp_http_addr == wanted
    write(tmp_path / "reticle.toml", f'mcp_http_addr = "{told}"\n')
    assert read_settings({}, {}, tmp_path).mcp_http_addr == wanted


@pytest.mark.parametrize("told", ["0.0.0.0:1", "10.0.0.7:1", "example.org:1", ":1", "127.0.0.1", "::", "x:y"])
def test_the_second_listener_is_for_this_machine_alone(tmp_path: Path, told: str) -> None:
    """
    A host beyond loopback is refused whatever token is set, also when an app that embeds us names it.
    """
    with pytest.raises(ConfigurationFault):
        read_settings({"mcp_http_addr": told}, {"RETICLE_TOKEN": "pair"}, tmp_path)
    with pytest.raises(ConfigurationFault):
        Settings(mcp_http_addr=HttpAddress("10.0.0.7", 1))


@pytest.mark.parametrize(
    "told",
    [
        "http://127.0.0.1:9222",
        "http://localhost:9222/",
        "http://[::1]:9222",
        "ws://127.0.0.1:9/devtools/browser/x",
    ],
)
def test_a_browser_that_runs_already_is_named_by_its_address(tmp_path: Path, told: str) -> None:
    """
    As it is: what stands behind it is asked when an agent first wants a page.
    """
    assert read_settings({}, {"RETICLE_CDP_URL": told}, tmp_path).cdp_url == told
    assert Settings(cdp_url=told).chromium is None


@pytest.mark.parametrize(
    "told",
    [
        "http://10.0.0.7:9222",
        "http://example.org:9222",
        "127.0.0.1:9222",
        "http://localhost",
        "https://[::1]:9",
    ],
)
def test_a_browser_on_another_machine_is_not_driven(tmp_path: Path, told: str) -> None:
    """
    Whoever speaks with a browser there sees all that it has open, and nothing of that is encrypted.
    """
    with pytest.raises(ConfigurationFault):
        read_settings({"cdp_url": told}, {}, tmp_path)
    with pytest.raises(ConfigurationFault):
        Settings(cdp_url=told)


@pytest.mark.parametrize("told", ["postgresql://me@db/work", "postgres://db", "postgresql:///w?host=/run"])
def test_a_database_to_share_may_be_told_in_every_way(tmp_path: Path, told: str) -> None:
    """
    A URL without a password stands in the file and on the command line too; it is never shown.
    """
    write(tmp_path / "reticle.toml", f'database_url = "{told}"\n')
    for flags, environ in (({}, {}), ({"database_url": told}, {}), ({}, {"RETICLE_DATABASE_URL": told})):
        found = read_settings(flags, environ, tmp_path)
        assert found.database_url == SecretText(told)
        assert told not in repr(found)


@pytest.mark.parametrize("told", ["postgresql://me:hunter2@db/work", "postgresql://db/w?password=hunter2"])
def test_a_password_stands_in_the_environment_alone(tmp_path: Path, told: str) -> None:
    """
    Others read command lines and projects' files: there it is refused, and the refusal does not repeat it.
    """
    kept = read_settings({}, {"RETICLE_DATABASE_URL": told}, tmp_path)
    assert "hunter2" not in repr(kept)
    with pytest.raises(ConfigurationFault) as on_the_line:
        read_settings({"database_url": told}, {}, tmp_path)
    write(tmp_path / "reticle.toml", f'database_url = "{told}"\n')
    with pytest.raises(ConfigurationFault) as in_the_file:
        read_settings({}, {}, tmp_path)
    for refused in (on_the_line.value, in_the_file.value):
        assert "hunter2" not in refused.message + refused.recovery
        assert "RETICLE_DATABASE_URL" in refused.recovery


@pytest.mark.parametrize("told", ["mysql://me:hunter2@db/work", "db", "hunter2", "postgresql:"])
def test_what_is_no_database_of_ours_is_not_repeated(tmp_path: Path, told: str) -> None:
    """
    Whatever stands there, it may be a secret.
    """
    with pytest.raises(ConfigurationFault) as refused:
        read_settings({}, {"RETICLE_DATABASE_URL": told}, tmp_path)
    assert "hunter2" not in refused.value.message + refused.value.recovery


@pytest.mark.parametrize(("told", "strict"), [("on", True), ("off", False), ("", False)])
def test_a_token_is_required_where_that_is_said(tmp_path: Path, told: str, *, strict: bool) -> None:
    """
    By flag and by variable alike; an empty variable says nothing.
    """
    assert read_settings({"require_token": told or None}, {}, tmp_path).require_token is strict
    assert read_settings({}, {"RETICLE_REQUIRE_TOKEN": told}, tmp_path).require_token is strict
    assert read_settings({"require_token": True}, {}, tmp_path).require_token


@pytest.mark.parametrize(("told", "wanted"), [("verify", 1), ("work,verify", 2), (" Work , verify,work", 2)])
def test_toolsets_are_told_with_commas(tmp_path: Path, told: str, wanted: int) -> None:
    """
    By flag, by variable and in the file alike; the words are those that tools are sorted by.
    """
    for settings in (
        read_settings({"toolsets": told}, {}, tmp_path),
        read_settings({}, {"RETICLE_TOOLSETS": told}, tmp_path),
    ):
        assert len(settings.toolsets) == wanted
        assert settings.toolsets <= {each.value for each in Toolset} == set(TOOLSETS)
    write(tmp_path / "reticle.toml", 'toolsets = ["verify", "work"]\n')
    assert read_settings({}, {}, tmp_path).toolsets == {"verify", "work"}
    assert read_settings({}, {}, None).toolsets == {"verify"}


@pytest.mark.parametrize("told", ["wrok", "verify,", ",", "verify work"])
def test_an_unknown_toolset_is_refused(tmp_path: Path, told: str) -> None:
    """
    A misspelt toolset does not silently show less.
    """
    with pytest.raises(ConfigurationFault):
        read_settings({"toolsets": told}, {}, tmp_path)


def test_a_client_may_present_either_kind_of_token(tmp_path: Path) -> None:
    """
    What is no pairing token for a daemon is a good credential for a program that dials one.
    """
    path = write(tmp_path / "token", "dtok_a.b\n")
    told = read_settings({"token_file": path}, {"RETICLE_MCP_TOKEN": "other"}, tmp_path, as_client=True)
    assert (told.token, told.origin("token")) == (SecretText("dtok_a.b"), "flag --token-file")
    told = read_settings(
        {}, {"RETICLE_MCP_TOKEN": "dtok_c.d", "RETICLE_TOKEN": "p"}, tmp_path, as_client=True
    )
    assert (told.token, told.origin("token")) == (SecretText("dtok_c.d"), "environment RETICLE_MCP_TOKEN")
    assert read_settings({}, {"RETICLE_TOKEN": "p"}, tmp_path, as_client=True).token == SecretText("p")


@pytest.mark.parametrize(("name", "most"), [("journal_mib", 4_096), ("journal_hours", 720)])
def test_how_much_is_journalled_is_a_whole_number_in_bounds(tmp_path: Path, name: str, most: int) -> None:
    """
    A slip of the finger fills no disk, and nothing is not a size: off is said by the switch.
    """
    for right in ("1", str(most)):
        assert getattr(read_settings({name: right}, {}, tmp_path), name) == int(right)
    for wrong in ("0", str(most + 1), "much", "1.5"):
        with pytest.raises(ConfigurationFault, match=f"{name} .* is not a whole number from 1 to {most}"):
            read_settings({name: wrong}, {}, tmp_path)
    assert not read_settings({"journal": "off"}, {}, tmp_path).journal
