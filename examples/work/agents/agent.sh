#!/bin/sh
# An agent in plain shell with curl and sed: the same loop again, for whoever has nothing else.
set -eu

token=$(cat "$RETICLE_MCP_TOKEN_FILE")
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
# The token stands in a file of our own and never in curl's arguments, which anybody may read.
umask 077
printf 'header = "Authorization: Bearer %s"\n' "$token" >"$here/curl"
last=0

post() {
    curl --silent --show-error --max-time 120 --config "$here/curl" \
        --header 'Content-Type: application/json' \
        --header 'Accept: application/json, text/event-stream' \
        --dump-header "$here/head" --data "$1" "$RETICLE_MCP_URL"
}

request() { # request METHOD PARAMS: the message that answers, in $here/answer
    last=$((last + 1))
    post "{\"jsonrpc\":\"2.0\",\"id\":$last,\"method\":\"$1\",\"params\":$2}" |
        sed 's/^data: *//' | grep "\"id\": *$last[,}]" >"$here/answer"
}

call() { # call TOOL ARGUMENTS
    request tools/call "{\"name\":\"$1\",\"arguments\":$2}"
    if grep -q '"isError": *true' "$here/answer"; then
        echo "refused: $(cat "$here/answer")"
        exit 1
    fi
}

field() { # field NAME: the first text of that name in the answer
    sed 's/\\"/"/g' "$here/answer" | grep -o "\"$1\": *\"[^\"]*\"" | head -1 | sed 's/.*: *"\(.*\)"/\1/'
}

me="\"repository_id\":\"$RETICLE_REPOSITORY_ID\",\"session_id\":\"$RETICLE_SESSION_ID\""

request initialize '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"work-demo-shell","version":"1"}}'
session=$(sed -n 's/^[Mm]cp-[Ss]ession-[Ii]d: *\([^[:space:]]*\).*/\1/p' "$here/head")
printf 'header = "Mcp-Session-Id: %s"\n' "$session" >>"$here/curl"
post '{"jsonrpc":"2.0","method":"notifications/initialized"}'
call session.report "{$me,\"report_kind\":\"ready\",\"phase\":\"await_packet\"}"

while :; do
    call work.await_packet "{$me,\"lease_seconds\":60}"
    if [ "$(field status)" != claimed ]; then
        if [ "$(field idle_behavior)" = exit_session ]; then
            echo "no more work: $(field reason)"
            exit 0
        fi
        continue
    fi
    held="$me,\"lease_id\":\"$(field lease_id)\""
    root=$(field repo_root)
    url=$(field url)
    message=$(field message_id)
    before=''
    # What a job asks to be proved is read from its packet by those who can read JSON; we know these three.
    job=$(sed 's/\\"/"/g' "$here/answer" | grep -o '"id": *"\(basket-total\|orders-kept\|search-case\)"' | head -1 | sed 's/.*"\([^"]*\)"/\1/')
    case $job in
    basket-total)
        file=static/cart.js
        edit='s/(sum, { article }) => sum + article.cents,/(sum, { article, quantity }) => sum + article.cents * quantity,/'
        before='"action":"click","target":{"role":"button","name":"Add Green tea"}'
        act=$before
        claim='{"kind":"text","contains":"Total 6.00"}'
        ;;
    orders-kept)
        file=shop.py
        edit='s/^    list(ORDERS).append(order)$/    ORDERS.append(order)/'
        act='"action":"click","target":{"role":"button","name":"Order"}'
        claim='{"allOf":[{"kind":"net","method":"POST","urlContains":"/api/orders","ok":true},{"kind":"text","contains":"Order 1"}]}'
        ;;
    search-case)
        file=static/search.js
        edit='s/each.name.includes(words.trim())/each.name.toLowerCase().includes(words.trim().toLowerCase())/'
        act='"action":"type","target":{"role":"textbox","name":"Search"},"args":{"text":"TEA"}'
        claim='{"kind":"text","contains":"1 of 3 shown"}'
        ;;
    *)
        call work.release "{$held,\"reason\":\"not one of the three that this agent knows\"}"
        continue
        ;;
    esac
    call work.ack "{$held,\"message_id\":\"$message\"}"
    sed "$edit" "$root/$file" >"$here/mended"
    cat "$here/mended" >"$root/$file"
    call reticle_lease "{\"action\":\"acquire\",\"url\":\"$url\"}"
    lease=$(field leaseId)
    page="\"sessionId\":\"$(field sessionId)\""
    [ -z "$before" ] || call reticle_act "{$before,$page}"
    call reticle_act_and_wait "{$act,$page,\"until\":$claim}"
    verified=$(field verified)
    verdict=$(field verdict_id)
    call reticle_lease "{\"action\":\"release\",\"leaseId\":\"$lease\"}"
    [ "$verified" = yes ] || echo "not proved: $verdict"
    call artifact.publish "{$held,\"logical_name\":\"change\",\"kind\":\"source\",\"path\":\"$file\"}"
    call work.complete "{$held,\"verdict_ids\":[\"$verdict\"],\"summary\":\"mended $file\"}"
    echo "$job: completed with $verdict"
done
