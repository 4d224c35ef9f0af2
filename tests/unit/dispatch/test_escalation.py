"""
Calls that become tasks: when they do, what becomes of them, who may see them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode, TaskSupport
from reticle.model.limits import PROGRESS_SECONDS, TASK_GRACE_SECONDS, TASK_SECONDS
from reticle.model.mcp import Question
from reticle.model.trust import LOCAL, PAIRING, Principal
from reticle.ports import CallContext
from reticle.testing.gate import GateBench, NoArguments, scripted_tool
from reticle.testing.modern import EVERYTHING, Sent, modern_request, send_modern
from reticle.testing.tokens import a_grant, a_token, bearer_of
from reticle.tools.spec import Tool, ToolAnswer

NAME = Question(
    "elicitation/create",
    {
        "message": "Your name?",
        "requestedSchema": {
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "required": ["name"],
        },
    },
)


class Job:
    """
    The work of the tools: goes on when the test says.
    """

    def __init__(self) -> None:
        self.waits: list[Deferred[str]] = []

    async def run(self, context: CallContext, _: NoArguments) -> ToolAnswer:
        """
        Reports, waits, answers.
        """
        wait: Deferred[str] = Deferred()
        self.waits.append(wait)
        context.progress(1, 2, "half way")
        said = await wait
        if said == "refuse":
            raise Refusal(RefusalCode.NO_SESSION, "no page")
        if said == "break":
            raise ZeroDivisionError
        return ToolAnswer({"said": said})

    async def ask(self, context: CallContext, arguments: NoArguments) -> ToolAnswer:
        """
        Asks, then works.
        """
        answers: Any = await context.ask({"one": NAME, "two": NAME})
        said = (await self.run(context, arguments)).fields["said"]
        return ToolAnswer(
            {"said": [answers["one"]["content"]["name"], answers["two"]["content"]["name"], said]}
        )


def tool(name: str, run: object, support: TaskSupport, *, asks_first: bool = False) -> Tool:
    """
    A tool that may or must be a task.
    """
    return attrs.evolve(scripted_tool(name, run), task_support=support, asks_first=asks_first)


@attrs.frozen(eq=False)
class TaskBench:
    """
    A gate with such tools, and one client of them.
    """

    job: Job = attrs.field(factory=Job)
    gate: GateBench = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        job = self.job
        tools = [
            tool("may", job.run, TaskSupport.OPTIONAL),
            tool("must", job.run, TaskSupport.REQUIRED),
            tool("asks", job.ask, TaskSupport.OPTIONAL),
            tool("asks_first", job.ask, TaskSupport.REQUIRED, asks_first=True),
        ]
        object.__setattr__(self, "gate", GateBench(tools))

    def call(self, name: str, capabilities: Mapping[str, object] = EVERYTHING, **params: object) -> Sent:
        """
        Call a tool.
        """
        body = modern_request("tools/call", {"name": name, **params}, capabilities=capabilities)
        return send_modern(self.gate, body)

    def ask_about(
        self, method: str, task_id: str, principal: Principal = LOCAL, **params: object
    ) -> dict[str, Any]:
        """
        The result of a request about a task.
        """
        body = modern_request(method, {"taskId": task_id, **params}, capabilities=EVERYTHING)
        return send_modern(self.gate, body, principal=principal).result()

    def started(self, name: str = "must") -> str:
        """
        The id of a fresh task.
        """
        task_id: str = self.call(name).result()["taskId"]
        return task_id


def accept(name: str) -> dict[str, object]:
    """
    A filled form.
    """
    return {"action": "accept", "content": {"name": name}}


def test_a_call_that_is_over_soon_is_answered_at_once() -> None:
    """
    No client has to poll for what takes no time.
    """
    bench = TaskBench()
    sent = bench.call("may")
    bench.gate.clock.advance(TASK_GRACE_SECONDS / 2)
    bench.job.waits[0].callback("done")
    result = sent.result()
    assert (result["resultType"], result["structuredContent"]["said"]) == ("complete", "done")
    assert bench.gate.clock.pending() == 0


def test_a_call_that_takes_long_becomes_a_task() -> None:
    """
    A client that knows tasks need not hold a request open, and finds the result later.
    """
    bench = TaskBench()
    sent = bench.call("may")
    bench.gate.clock.advance(TASK_GRACE_SECONDS)
    made = sent.result()
    assert (made["resultType"], made["status"]) == ("task", "working")
    assert made["ttlMs"] == TASK_SECONDS * 1000
    assert made["createdAt"] == made["lastUpdatedAt"] == "2025-06-15T15:06:40.500Z"
    assert not {"result", "error", "inputRequests", "requestState", "task", "ttl"} & made.keys()
    working = bench.ask_about("tasks/get", made["taskId"])
    assert (working["resultType"], working["status"]) == ("complete", "working")
    bench.job.waits[0].callback("done")
    completed = bench.ask_about("tasks/get", made["taskId"])
    assert completed["status"] == "completed"
    assert completed["result"]["structuredContent"]["said"] == "done"
    assert [row.decision for row in bench.gate.audit.rows] == ["allowed"]


def test_a_tool_that_wants_it_is_a_task_at_once() -> None:
    """
    The task can be asked for as soon as its id is told, and says how far it is.
    """
    bench = TaskBench()
    task_id = bench.started()
    assert bench.ask_about("tasks/get", task_id)["status"] == "working"


def test_a_tool_that_wants_it_is_a_task_even_when_it_is_over() -> None:
    """
    A client of such a tool has one way to its result, however fast the tool was.
    """

    async def run(_: CallContext, __: NoArguments) -> ToolAnswer:
        return ToolAnswer({"said": "at once"})

    gate = GateBench([tool("fast", run, TaskSupport.REQUIRED)])
    made = send_modern(gate, modern_request("tools/call", {"name": "fast"}, capabilities=EVERYTHING)).result()
    assert made["resultType"] == "task"
    get = modern_request("tasks/get", {"taskId": made["taskId"]}, capabilities=EVERYTHING)
    assert send_modern(gate, get).result()["result"]["structuredContent"]["said"] == "at once"


def test_progress_becomes_the_status_of_a_task() -> None:
    """
    A client that polls sees what the task is doing.
    """

    async def run(context: CallContext, _: NoArguments) -> ToolAnswer:
        await first
        context.progress(1, 2, "half way")
        await second
        return ToolAnswer({})

    first: Deferred[None] = Deferred()
    second: Deferred[None] = Deferred()
    gate = GateBench([tool("long", run, TaskSupport.REQUIRED)])
    body = modern_request("tools/call", {"name": "long"}, capabilities=EVERYTHING)
    task_id = send_modern(gate, body).result()["taskId"]
    first.callback(None)
    get = modern_request("tasks/get", {"taskId": task_id}, capabilities=EVERYTHING)
    assert send_modern(gate, get).result()["statusMessage"] == "half way"


@pytest.mark.parametrize("said", ["done", "refuse"])
def test_a_refusal_completes(said: str) -> None:
    """
    A tool that says no has given its answer, and its task is no failure.
    """
    bench = TaskBench()
    task_id = bench.started()
    bench.job.waits[0].callback(said)
    ended = bench.ask_about("tasks/get", task_id)
    assert ended["status"] == "completed"
    assert ended["result"]["isError"] is (said == "refuse")


def test_a_bug_fails(logged_failures: Any) -> None:
    """
    A task that met a bug of ours has an error in place of a result, with the number that stands in the log.
    """
    bench = TaskBench()
    task_id = bench.started()
    bench.job.waits[0].callback("break")
    ended = bench.ask_about("tasks/get", task_id)
    assert (ended["status"], "result" in ended) == ("failed", False)
    assert ended["error"]["code"] == -32603
    assert "incident" in ended["error"]["message"]
    assert len(logged_failures.take()) == 1


def test_without_the_extension_the_call_stays_a_call() -> None:
    """
    A client that does not know tasks waits for its result, however long.
    """
    bench = TaskBench()
    sent = bench.call("may", {})
    bench.gate.clock.advance(TASK_GRACE_SECONDS * 10)
    bench.job.waits[0].callback("done")
    assert sent.result()["resultType"] == "complete"


def test_a_tool_that_must_be_a_task_says_so() -> None:
    """
    A client that does not know tasks learns what it would have to declare; nothing ran.
    """
    bench = TaskBench()
    error = bench.call("must", {}).error()
    assert error["code"] == -32021
    assert error["data"]["requiredCapabilities"] == {"extensions": {"io.modelcontextprotocol/tasks": {}}}
    assert bench.gate.audit.rows == []


def test_a_task_asks_and_goes_on() -> None:
    """
    Questions of a task wait until all are answered; unknown names and malformed values change nothing.
    """
    bench = TaskBench()
    task_id = bench.started("asks")
    asking = bench.ask_about("tasks/get", task_id)
    assert asking["status"] == "input_required"
    assert list(asking["inputRequests"]) == ["one", "two"]
    responses = {"one": accept("Ann"), "two": 42, "unknown": accept("x")}
    acknowledged = bench.ask_about("tasks/update", task_id, inputResponses=responses)
    assert acknowledged.keys() == {"resultType", "_meta"}
    still = bench.ask_about("tasks/get", task_id)
    assert (still["status"], list(still["inputRequests"])) == ("input_required", ["two"])
    bench.ask_about("tasks/update", task_id, inputResponses={"one": accept("Eve"), "two": accept("Bob")})
    assert bench.ask_about("tasks/get", task_id)["status"] == "working"
    bench.job.waits[0].callback("done")
    assert bench.ask_about("tasks/get", task_id)["result"]["structuredContent"]["said"] == [
        "Ann",
        "Bob",
        "done",
    ]


def test_questions_before_a_task_come_as_rounds() -> None:
    """
    A tool that asks first makes its task only when it has the answers, and no state leaks into it.
    """
    bench = TaskBench()
    asked = bench.call("asks_first").result()
    assert (asked["resultType"], "taskId" in asked) == ("input_required", False)
    responses = {"one": accept("Ann"), "two": accept("Bob")}
    made = bench.call("asks_first", inputResponses=responses, requestState=asked["requestState"]).result()
    assert (made["resultType"], "requestState" in made) == ("task", False)
    bench.job.waits[0].callback("done")
    assert bench.ask_about("tasks/get", made["taskId"])["result"]["structuredContent"]["said"][0] == "Ann"


def test_a_cancelled_task_stops_for_good() -> None:
    """
    A client ends a task, once or more, and its work stops; one that has ended stays as it is.
    """
    bench = TaskBench()
    task_id = bench.started()
    for _ in range(2):
        assert bench.ask_about("tasks/cancel", task_id).keys() == {"resultType", "_meta"}
    ended = bench.ask_about("tasks/get", task_id)
    assert (ended["status"], "result" in ended) == ("cancelled", False)
    assert [row.decision for row in bench.gate.audit.rows] == ["cancelled"]
    other = bench.started()
    bench.job.waits[1].callback("done")
    bench.ask_about("tasks/cancel", other)
    assert bench.ask_about("tasks/get", other)["status"] == "completed"


def test_a_task_that_asks_can_be_cancelled() -> None:
    """
    A question that nobody will answer does not keep a task alive.
    """
    bench = TaskBench()
    task_id = bench.started("asks")
    bench.ask_about("tasks/cancel", task_id)
    ended = bench.ask_about("tasks/get", task_id)
    assert (ended["status"], "inputRequests" in ended) == ("cancelled", False)


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
def test_a_task_is_its_principals_alone(method: str) -> None:
    """
    Who does not own a task cannot tell it from one that never was; who does not know tasks is told so.
    """
    bench = TaskBench()
    task_id = bench.started()
    params = {"taskId": task_id, "inputResponses": {}}
    stranger = send_modern(
        bench.gate, modern_request(method, params, capabilities=EVERYTHING), principal=PAIRING
    )
    never = send_modern(
        bench.gate, modern_request(method, {**params, "taskId": "task_no"}, capabilities=EVERYTHING)
    )
    assert stranger.error() == never.error()
    assert never.error()["code"] == -32602
    assert send_modern(bench.gate, modern_request(method, params)).error()["code"] == -32021


def test_a_task_is_kept_for_as_long_as_was_told() -> None:
    """
    A result can be fetched until the task's time is over, and then it is gone.
    """
    bench = TaskBench()
    task_id = bench.started()
    bench.job.waits[0].callback("done")
    bench.gate.clock.advance(TASK_SECONDS - 1)
    assert bench.ask_about("tasks/get", task_id)["status"] == "completed"
    bench.gate.clock.advance(1)
    get = modern_request("tasks/get", {"taskId": task_id}, capabilities=EVERYTHING)
    assert send_modern(bench.gate, get).error()["data"]["code"] == "task_unknown"


def test_answers_to_more_than_the_work_waited_for() -> None:
    """
    A client that answers everything at once is not told of a bug when the first answer was enough.
    """

    async def either(context: CallContext, _: NoArguments) -> ToolAnswer:
        asked: Any = [context.ask({name: NAME}) for name in ("one", "two")]
        one, two = map(Deferred.fromCoroutine, asked)
        await one
        two.addErrback(lambda _: None)
        two.cancel()
        return ToolAnswer({"said": "enough"})

    gate = GateBench([tool("either", either, TaskSupport.OPTIONAL)])
    body = modern_request("tools/call", {"name": "either"}, capabilities=EVERYTHING)
    task_id = send_modern(gate, body).result()["taskId"]
    answer = {"action": "accept", "content": {"name": "Ann"}}
    params = {"taskId": task_id, "inputResponses": {"one": answer, "two": answer}}
    send_modern(gate, modern_request("tasks/update", params, capabilities=EVERYTHING)).result()
    get = modern_request("tasks/get", {"taskId": task_id}, capabilities=EVERYTHING)
    assert send_modern(gate, get).result()["status"] == "completed"


def test_a_task_whose_client_is_gone_ends_by_itself() -> None:
    """
    A question that nobody answers does not keep a call for ever, though nobody asks about any task again.
    """
    bench = TaskBench()
    bench.call("asks")
    bench.gate.clock.advance(1)
    bench.call("asks")
    bench.gate.clock.advance(TASK_SECONDS - 2)
    assert bench.gate.audit.rows == []
    bench.gate.clock.advance(1)
    assert [row.decision for row in bench.gate.audit.rows] == ["cancelled"]
    bench.gate.clock.advance(1)
    assert [row.decision for row in bench.gate.audit.rows] == ["cancelled"] * 2
    assert bench.gate.clock.pending() == 0


def test_where_no_task_more_fits_a_call_stays_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Tasks of one principal are bounded: what must be one is refused before it runs, what may be one waits.
    """
    monkeypatch.setattr("reticle.dispatch.running_tasks.TASKS_OF_ONE", 1)
    bench = TaskBench()
    bench.started()
    assert bench.call("must").error()["data"]["code"] == "too_many_calls"
    sent = bench.call("may")
    bench.gate.clock.advance(TASK_GRACE_SECONDS)
    assert sent.replies.answers() == []
    bench.job.waits[1].callback("done")
    assert sent.result()["resultType"] == "complete"
    asked = bench.call("asks").result()
    assert asked["resultType"] == "input_required"


def test_a_listener_hears_of_its_tasks() -> None:
    """
    A client that listens for a task of its own need not poll, and hears of nobody else's.
    """
    bench = TaskBench()
    own, other = bench.started(), bench.started()
    listen = {"notifications": {"taskIds": [own, "task_no"]}}
    sent = send_modern(bench.gate, modern_request("subscriptions/listen", listen, capabilities=EVERYTHING))
    stranger = send_modern(
        bench.gate, modern_request("subscriptions/listen", listen, capabilities=EVERYTHING), principal=PAIRING
    )
    bench.ask_about("tasks/cancel", other)
    bench.job.waits[0].callback("done")
    acknowledged, heard = sent.replies.told()
    assert acknowledged["params"]["notifications"] == {"taskIds": [own]}
    assert (heard["method"], heard["params"]["taskId"]) == ("notifications/tasks", own)
    assert heard["params"]["status"] == "completed"
    assert len(stranger.replies.told()) == 1


def test_news_of_progress_are_few_and_end_with_the_task() -> None:
    """
    A tool that reports at every turn does not flood who listens, and a cancelled task says nothing more.
    """

    async def run(context: CallContext, _: NoArguments) -> ToolAnswer:
        try:
            for number in range(10):
                await context.clock.sleep(PROGRESS_SECONDS / 4)
                context.progress(number, None, f"step {number}")
            await Deferred()
        finally:
            context.progress(99, None, "cleaning up")
        return ToolAnswer({})

    gate = GateBench([tool("busy", run, TaskSupport.REQUIRED)])
    made = send_modern(gate, modern_request("tools/call", {"name": "busy"}, capabilities=EVERYTHING)).result()
    listen = {"notifications": {"taskIds": [made["taskId"]]}}
    sent = send_modern(gate, modern_request("subscriptions/listen", listen, capabilities=EVERYTHING))
    for _ in range(10):
        gate.clock.advance(PROGRESS_SECONDS / 4)
    cancel = modern_request("tasks/cancel", {"taskId": made["taskId"]}, capabilities=EVERYTHING)
    send_modern(gate, cancel)
    told = [message["params"] for message in sent.replies.told()[1:]]
    assert [each["status"] for each in told] == ["working"] * 3 + ["cancelled"]
    assert told[-1]["statusMessage"] == "step 9"


def test_a_request_that_is_cancelled_before_it_is_a_task_stops() -> None:
    """
    A client that hangs up early leaves no task behind.
    """
    bench = TaskBench()
    sent = bench.call("may")
    sent.exchange.cancel()
    assert bench.gate.clock.pending() == 0
    assert [row.decision for row in bench.gate.audit.rows] == ["cancelled"]


def test_a_bug_with_one_listener_keeps_no_task_from_its_end(logged_failures: Any) -> None:
    """
    News that one client cannot be told reach the others, the result is there, and a stop does not wait.
    """

    def broken(task: object) -> None:
        raise ZeroDivisionError(task)

    bench = TaskBench()
    tasks = bench.gate.conversations._per_request.tasks
    told: list[object] = []
    task_id = bench.started()
    tasks.subscribe(broken)
    tasks.subscribe(told.append)
    bench.job.waits[0].callback("done")
    assert bench.ask_about("tasks/get", task_id)["status"] == "completed"
    assert len(told) == 1
    assert tasks.drain("stop").called
    assert len(logged_failures.flush(ZeroDivisionError)) == 1


def test_the_tasks_of_a_token_end_with_it() -> None:
    """
    What a revoked token has running on ends with the reason; other people's tasks run on.
    """
    sealed = a_token(a_grant(Capability.OBSERVE))
    bench = TaskBench()
    bench.gate.tokens.keep(sealed)
    body = modern_request("tools/call", {"name": "must"}, capabilities=EVERYTHING)
    send_modern(bench.gate, body, principal=bearer_of(sealed)).result()
    bench.started()
    conversations = bench.gate.conversations
    assert list(conversations.token_ids()) == [sealed.token.token_id]
    conversations.dismiss(sealed.token.token_id, Refusal(RefusalCode.TOKEN_REVOKED, "revoked"))
    assert [row.decision for row in bench.gate.audit.rows] == ["refused:token_revoked"]
    assert list(conversations.token_ids()) == []


def test_a_stopping_daemon_ends_its_tasks() -> None:
    """
    When the daemon stops, the rows of running tasks are written before the store closes.
    """
    bench = TaskBench()
    task_id = bench.started()
    assert bench.gate.conversations.drain_tasks("test").called
    assert [row.decision for row in bench.gate.audit.rows] == ["refused:shutting_down"]
    ended = bench.ask_about("tasks/get", task_id)
    assert ended["result"]["structuredContent"]["error"] == "shutting_down"
    assert bench.gate.conversations.drain_tasks("test").called
