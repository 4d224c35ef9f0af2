/*
 * The load generator of bench/mcp: MCP clients in one epoll loop, each with connections of its own.
 *
 *     load loop|hold streamable|sse PORT PATH REVISION key=value...
 *
 * loop: `clients` sessions, each with one request out at a time, for `seconds`; prints one line of JSON.
 *       method=tools/call|ping, tool=NAME, warm=SECONDS, pids=PID[,PID...] (whose CPU time is counted),
 *       rounds=N (requests instead of seconds). A request counts only when status, id and body are right:
 *       `expect` must stand in the answer and `"error"` or `"isError":true` must not.
 * hold: opens `clients` initialized sessions and keeps them; then obeys lines on standard input:
 *       `ping` asks each of them once, `farewell PID NAME` sends SIGTERM to PID and waits for the event
 *       NAME and the end of every stream, `quit` ends. Each is answered by one line of JSON.
 *
 * A streamable client is one keep-alive connection with its Mcp-Session-Id; an sse client is a stream and
 * a keep-alive connection for its POSTs, and its answer is matched by id on the stream. While sessions are
 * only held, the second connection is closed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum step { OPENING, HANDSHAKE, CONFIRMING, READY, ASKING, DEAD };
enum body { NO_BODY, SIZED, CHUNKED, UNTIL_END };

struct client;

/* One connection and the decoder of the response that is being read from it. */
struct connection {
    int fd;
    int is_stream; /* the open stream of the old transport, which never ends by itself */
    struct client *client;
    char *head;  /* unread bytes of head or chunk line */
    size_t head_size;
    enum body body;
    int in_head, status, chunk_state; /* chunk_state: 0 size line, 1 data, 2 line end behind data, 3 trailer */
    long long left;
    char *text; /* the decoded body, or of a stream what is not a whole line yet */
    size_t text_size, text_room;
    char *unsent;
    size_t unsent_size;
};

struct client {
    enum step step;
    struct connection call, stream;
    char session[512]; /* Mcp-Session-Id, or the announced path */
    long id;
    int accepted, replied; /* of the request that is out: its POST was answered, its reply has come */
    double sent_at;
    int got_farewell;
};

static int epoll_fd, port, streamable, holding, keep_call_open;
static const char *path, *revision, *method = "ping", *tool = "", *expect = "result", *farewell = "";
static int pids[64], pid_count;
static struct client *clients;
static int client_count = 1, window = 64, opened, ready, failed, next_client, dead_streams, farewells;
static long errors, done, next_id = 10000000;
static int measuring, stopping, pinging, alive;
static double *latencies;
static size_t latency_count, latency_room;
static double last_end, last_farewell;
static char first_error[400];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void fail(const char *format, ...) {
    va_list arguments;
    errors++;
    if (first_error[0]) return;
    va_start(arguments, format);
    vsnprintf(first_error, sizeof first_error, format, arguments);
    va_end(arguments);
    for (char *c = first_error; *c; c++)
        if (*c < ' ' || *c == '"' || *c == '\\' || *c > '~') *c = ' ';
}

/* CPU nanoseconds of all threads of the watched processes. */
static double cpu_ns(void) {
    double sum = 0;
    for (int i = 0; i < pid_count; i++) {
        char name[600];
        snprintf(name, sizeof name, "/proc/%d/task", pids[i]);
        DIR *tasks = opendir(name);
        if (!tasks) continue;
        for (struct dirent *task; (task = readdir(tasks));) {
            if (task->d_name[0] == '.') continue;
            snprintf(name, sizeof name, "/proc/%d/task/%s/schedstat", pids[i], task->d_name);
            FILE *file = fopen(name, "r");
            double ns = 0;
            if (file) {
                if (fscanf(file, "%lf", &ns) == 1) sum += ns;
                fclose(file);
            }
        }
        closedir(tasks);
    }
    return sum;
}

static void watch(struct connection *c, int operation, unsigned events) {
    struct epoll_event event = {.events = events, .data.ptr = c};
    if (epoll_ctl(epoll_fd, operation, c->fd, &event)) perror("epoll_ctl"), exit(1);
}

static void hang_up(struct connection *c) {
    if (c->fd >= 0) close(c->fd);
    c->fd = -1;
    free(c->unsent), free(c->head), free(c->text);
    c->unsent = c->head = c->text = NULL;
    c->unsent_size = c->head_size = c->text_size = c->text_room = 0;
}

static int dial(struct client *client, struct connection *c) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    int one = 1;
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    c->client = client;
    c->in_head = 1;
    c->body = NO_BODY;
    c->chunk_state = 0;
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (c->fd < 0) return fail("socket: %s", strerror(errno)), -1;
    if (connect(c->fd, (struct sockaddr *)&address, sizeof address))
        return fail("connect: %s", strerror(errno)), hang_up(c), -1;
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    watch(c, EPOLL_CTL_ADD, EPOLLIN);
    return 0;
}

static void put(struct connection *c, const char *bytes, size_t size) {
    ssize_t sent = c->unsent_size ? 0 : send(c->fd, bytes, size, MSG_NOSIGNAL);
    if (sent < 0) sent = 0;
    if ((size_t)sent == size) return;
    c->unsent = realloc(c->unsent, c->unsent_size + size - sent);
    memcpy(c->unsent + c->unsent_size, bytes + sent, size - sent);
    c->unsent_size += size - sent;
    watch(c, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
}

static void flush_unsent(struct connection *c) {
    ssize_t sent = send(c->fd, c->unsent, c->unsent_size, MSG_NOSIGNAL);
    if (sent <= 0) return;
    c->unsent_size -= sent;
    memmove(c->unsent, c->unsent + sent, c->unsent_size);
    if (!c->unsent_size) watch(c, EPOLL_CTL_MOD, EPOLLIN);
}

static void post(struct client *client, const char *body) {
    static char request[4096];
    char session[700] = "";
    if (client->call.fd < 0 && dial(client, &client->call)) {
        client->step = DEAD;
        return;
    }
    if (streamable && client->session[0])
        snprintf(session, sizeof session, "Mcp-Session-Id: %s\r\nMCP-Protocol-Version: %s\r\n", client->session,
                 revision);
    int size = snprintf(request, sizeof request,
                        "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUser-Agent: bench\r\n"
                        "Accept: application/json, text/event-stream\r\n%s"
                        "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                        streamable ? path : client->session, port, session, strlen(body), body);
    client->accepted = client->replied = 0;
    client->sent_at = now();
    put(&client->call, request, size);
}

static void ask(struct client *client, const char *what) {
    char body[1024];
    client->id = next_id++;
    if (!strcmp(what, "initialize"))
        snprintf(body, sizeof body,
                 "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                 "\"%s\",\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}",
                 client->id, revision);
    else if (!strcmp(what, "ping"))
        snprintf(body, sizeof body, "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"ping\"}", client->id);
    else
        snprintf(body, sizeof body,
                 "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
                 "\"arguments\":{\"text\":\"hello\"}}}",
                 client->id, tool);
    post(client, body);
}

static void open_client(struct client *client) {
    client->step = OPENING;
    client->call.fd = client->stream.fd = -1;
    opened++;
    if (streamable) {
        client->step = HANDSHAKE;
        ask(client, "initialize");
        if (client->step == DEAD) failed++;
        return;
    }
    char request[400];
    int size = snprintf(request, sizeof request,
                        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: text/event-stream\r\n\r\n", path, port);
    client->stream.is_stream = 1;
    if (dial(client, &client->stream)) {
        client->step = DEAD;
        failed++;
        return;
    }
    put(&client->stream, request, size);
}

static void open_more(void) {
    while (next_client < client_count && opened - ready - failed < window) open_client(&clients[next_client++]);
}

static void lose(struct client *client, const char *why) {
    if (client->step == DEAD) return;
    if (!stopping) fail("%s in step %d", why, client->step);
    if (client->step < READY) failed++;
    client->step = DEAD;
    hang_up(&client->call);
    hang_up(&client->stream);
    if (holding && !stopping) open_more();
}

/* The request that is out has been answered in full. */
static void settled(struct client *client) {
    double at = now();
    switch (client->step) {
    case HANDSHAKE:
        client->step = CONFIRMING;
        post(client, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        client->replied = 1;
        break;
    case CONFIRMING:
        client->step = READY;
        ready++;
        if (holding) {
            if (!keep_call_open) hang_up(&client->call);
            open_more();
        }
        break;
    case ASKING:
        done++;
        if (pinging) {
            client->step = READY;
            alive++;
            hang_up(&client->call);
            break;
        }
        if (measuring) {
            if (latency_count == latency_room)
                latencies = realloc(latencies, (latency_room = latency_room * 2 + 65536) * sizeof *latencies);
            latencies[latency_count++] = (at - client->sent_at) * 1e6;
        }
        if (stopping)
            client->step = READY;
        else
            ask(client, method);
        break;
    default:
        fail("an answer in step %d", client->step);
    }
}

/* Whether a JSON-RPC message answers the request that is out; counts a wrong one. */
static int answers(struct client *client, const char *text) {
    char id[2][40];
    snprintf(id[0], sizeof id[0], "\"id\":%ld", client->id);
    snprintf(id[1], sizeof id[1], "\"id\": %ld", client->id);
    if (!strstr(text, id[0]) && !strstr(text, id[1])) return 0;
    if (strstr(text, "\"error\"") || strstr(text, "\"isError\":true")) return fail("answered: %.200s", text), 1;
    const char *wanted = client->step == ASKING && !pinging ? expect : "result";
    if (!strstr(text, wanted)) fail("without %s: %.200s", wanted, text);
    return 1;
}

/* A whole response on a connection for POSTs. */
static void responded(struct connection *c) {
    struct client *client = c->client;
    int wanted = !streamable || client->step == CONFIRMING ? 202 : 200;
    c->text[c->text_size] = 0;
    if (c->status != wanted) {
        /* Old SDKs say 200 to a notification. */
        if (!(client->step == CONFIRMING && c->status == 200)) fail("status %d: %.200s", c->status, c->text);
    }
    client->accepted = 1;
    if (streamable && client->step != CONFIRMING) {
        if (!answers(client, c->text)) fail("no answer in %.200s", c->text);
        client->replied = 1;
    }
    c->text_size = 0;
    if (client->accepted && client->replied) settled(client);
}

/* One line of a stream of the old transport. */
static void stream_line(struct client *client, char *line) {
    if (!strncmp(line, "event: ", 7)) {
        if (farewell[0] && !strcmp(line + 7, farewell)) client->got_farewell = 1, last_farewell = now();
        return;
    }
    if (strncmp(line, "data: ", 6)) return;
    if (client->step == OPENING) {
        snprintf(client->session, sizeof client->session, "%s", line + 6);
        client->step = HANDSHAKE;
        ask(client, "initialize");
        return;
    }
    if (farewell[0] || client->replied || !answers(client, line + 6)) return;
    client->replied = 1;
    if (client->accepted) settled(client);
}

/* Decoded bytes of a body. */
static void take_body(struct connection *c, const char *bytes, size_t size) {
    if (c->text_size + size + 1 > c->text_room)
        c->text = realloc(c->text, c->text_room = (c->text_size + size) * 2 + 256);
    memcpy(c->text + c->text_size, bytes, size);
    c->text_size += size;
    if (!c->is_stream) return;
    size_t start = 0;
    for (char *end; (end = memchr(c->text + start, '\n', c->text_size - start));) {
        *end = 0;
        if (end > c->text + start && end[-1] == '\r') end[-1] = 0;
        stream_line(c->client, c->text + start);
        if (c->fd < 0) return;
        start = end + 1 - c->text;
    }
    memmove(c->text, c->text + start, c->text_size - start);
    c->text_size -= start;
}

static int read_head(struct connection *c, char *head) {
    c->status = atoi(head + 9);
    c->body = NO_BODY;
    c->left = 0;
    for (char *line = strstr(head, "\r\n"); line && line[2]; line = strstr(line + 2, "\r\n")) {
        char *header = line + 2;
        if (!strncasecmp(header, "content-length:", 15)) c->left = atoll(header + 15), c->body = SIZED;
        if (!strncasecmp(header, "transfer-encoding:", 18)) c->body = CHUNKED, c->chunk_state = 0;
        if (!strncasecmp(header, "mcp-session-id:", 15))
            sscanf(header + 15, " %500[^\r\n]", c->client->session);
    }
    if (c->body == NO_BODY && c->is_stream) c->body = UNTIL_END;
    if (c->is_stream && c->status != 200) return fail("stream: status %d", c->status), -1;
    if (!c->text) c->text = malloc(c->text_room = 512);
    return 0;
}

static void end_of_body(struct connection *c) {
    c->in_head = 1;
    if (!c->is_stream) responded(c);
}

/* A line of a head or a chunk, gathered over reads; gives the bytes used, and sets *line when it is whole. */
static size_t gather(struct connection *c, const char *bytes, size_t size, const char *mark, char **line) {
    c->head = realloc(c->head, c->head_size + size + 1);
    memcpy(c->head + c->head_size, bytes, size);
    c->head[c->head_size + size] = 0;
    char *end = strstr(c->head, mark);
    *line = NULL;
    if (!end) {
        c->head_size += size;
        return size;
    }
    end += strlen(mark);
    size_t used = end - c->head - c->head_size;
    *end = 0;
    c->head_size = 0;
    *line = c->head;
    return used;
}

static void take(struct connection *c, const char *bytes, size_t size) {
    while (size && c->fd >= 0) {
        char *line;
        size_t used;
        if (c->in_head) {
            used = gather(c, bytes, size, "\r\n\r\n", &line);
            if (line) {
                c->in_head = 0;
                if (read_head(c, line)) return lose(c->client, "bad head");
                if (c->body == NO_BODY || (c->body == SIZED && !c->left)) end_of_body(c);
            }
        } else if (c->body == SIZED || c->body == UNTIL_END) {
            used = c->body == SIZED && (long long)size > c->left ? (size_t)c->left : size;
            take_body(c, bytes, used);
            if (c->fd < 0) return;
            if (c->body == SIZED && !(c->left -= used)) end_of_body(c);
        } else if (c->chunk_state == 1) {
            used = (long long)size > c->left ? (size_t)c->left : size;
            c->left -= used;
            if (!c->left) c->chunk_state = 2;
            take_body(c, bytes, used);
        } else {
            used = gather(c, bytes, size, "\r\n", &line);
            if (line && c->chunk_state == 0) {
                c->left = strtoll(line, NULL, 16);
                c->chunk_state = c->left ? 1 : 3;
            } else if (line && c->chunk_state == 2) {
                c->chunk_state = 0;
            } else if (line && c->chunk_state == 3 && line[0] == '\r') {
                c->chunk_state = 0;
                bytes += used, size -= used;
                end_of_body(c);
                continue;
            }
        }
        bytes += used, size -= used;
    }
}

static void ended(struct connection *c) {
    struct client *client = c->client;
    if (c->is_stream) {
        last_end = now();
        dead_streams++;
        if (client->got_farewell) farewells++;
        return lose(client, "the stream ended");
    }
    if (client->step == READY) return hang_up(c); /* an idle connection may be closed */
    lose(client, "the connection ended");
}

static void run_until(double deadline, int (*until)(void)) {
    static char buffer[262144];
    struct epoll_event events[256];
    while (now() < deadline && !until()) {
        int count = epoll_wait(epoll_fd, events, 256, 20);
        for (int i = 0; i < count; i++) {
            struct connection *c = events[i].data.ptr;
            if (c->fd < 0) continue;
            if ((events[i].events & EPOLLOUT) && c->unsent_size) flush_unsent(c);
            if (!(events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))) continue;
            ssize_t size = recv(c->fd, buffer, sizeof buffer, 0);
            if (size > 0)
                take(c, buffer, size);
            else if (size == 0 || (errno != EAGAIN && errno != EINTR))
                ended(c);
        }
    }
}

static int never(void) { return 0; }
static int all_open(void) { return ready + failed == client_count; }
static int all_idle(void) {
    for (int i = 0; i < client_count; i++)
        if (clients[i].step == ASKING) return 0;
    return 1;
}
static int enough(void) { return done >= 20; }
static int all_gone(void) { return dead_streams >= ready; }
static int ping_ended(void) {
    static int next;
    int out = 0;
    if (!pinging) return next = 0, 1;
    for (int i = 0; i < next; i++) out += clients[i].step == ASKING;
    while (next < client_count && out < window) {
        struct client *client = &clients[next++];
        if (client->step != READY) continue;
        client->step = ASKING;
        ask(client, "ping");
        out++;
    }
    if (next == client_count && !out) return next = 0, 1;
    return 0;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double share(double part) {
    return latency_count ? latencies[(size_t)(part * (latency_count - 1))] : 0;
}

static void loop(double warm, double seconds) {
    run_until(now() + 30, all_open);
    for (int i = 0; i < client_count; i++)
        if (clients[i].step == READY) clients[i].step = ASKING, ask(&clients[i], method);
    run_until(now() + warm, never);
    double began = now(), cpu = cpu_ns();
    done = 0;
    measuring = 1;
    run_until(began + seconds, never);
    run_until(began + 20, enough); /* a median of nothing would be none */
    double lasted = now() - began;
    cpu = cpu_ns() - cpu;
    measuring = 0;
    long requests = done;
    stopping = 1;
    run_until(now() + 5, all_idle);
    qsort(latencies, latency_count, sizeof *latencies, by_size);
    printf("{\"requests\":%ld,\"per_second\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"cpu_us\":%.2f,"
           "\"errors\":%ld,\"first_error\":\"%s\"}\n",
           requests, requests / lasted, share(.5), share(.99), requests ? cpu / 1e3 / requests : 0,
           errors + failed, first_error);
}

static void hold(void) {
    double began = now();
    run_until(began + 120, all_open);
    printf("{\"held\":%d,\"failed\":%d,\"per_second\":%.1f,\"first_error\":\"%s\"}\n", ready, failed,
           ready / (now() - began), first_error);
    fflush(stdout);
    for (char line[200]; fgets(line, sizeof line, stdin);) {
        int pid;
        char name[100];
        if (!strncmp(line, "ping", 4)) {
            pinging = 1, alive = 0;
            run_until(now() + 120, ping_ended);
            pinging = 0;
            printf("{\"alive\":%d,\"errors\":%ld,\"first_error\":\"%s\"}\n", alive, errors, first_error);
        } else if (sscanf(line, "farewell %d %99s", &pid, name) == 2) {
            farewell = name;
            stopping = 1;
            double told = now();
            kill(pid, SIGTERM);
            run_until(told + 30, all_gone);
            printf("{\"farewells\":%d,\"ended\":%d,\"last_ms\":%.1f,\"ended_ms\":%.1f}\n", farewells, dead_streams,
                   farewells ? (last_farewell - told) * 1e3 : 0, dead_streams ? (last_end - told) * 1e3 : 0);
        } else
            break;
        fflush(stdout);
    }
}

int main(int count, char **words) {
    double seconds = 2, warm = .3;
    struct rlimit files;
    if (count < 6) return fprintf(stderr, "load loop|hold streamable|sse PORT PATH REVISION ...\n"), 2;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    holding = !strcmp(words[1], "hold");
    streamable = !strcmp(words[2], "streamable");
    port = atoi(words[3]), path = words[4], revision = words[5];
    for (int i = 6; i < count; i++) {
        char *value = strchr(words[i], '=');
        if (!value) return fprintf(stderr, "no value: %s\n", words[i]), 2;
        *value++ = 0;
        if (!strcmp(words[i], "clients")) client_count = atoi(value);
        else if (!strcmp(words[i], "window")) window = atoi(value);
        else if (!strcmp(words[i], "seconds")) seconds = atof(value);
        else if (!strcmp(words[i], "warm")) warm = atof(value);
        else if (!strcmp(words[i], "method")) method = value;
        else if (!strcmp(words[i], "tool")) tool = value;
        else if (!strcmp(words[i], "expect")) expect = value;
        else if (!strcmp(words[i], "pids"))
            for (char *p = strtok(value, ","); p && pid_count < 64; p = strtok(NULL, ",")) pids[pid_count++] = atoi(p);
        else return fprintf(stderr, "unknown: %s\n", words[i]), 2;
    }
    epoll_fd = epoll_create1(0);
    clients = calloc(client_count, sizeof *clients);
    open_more();
    if (holding) hold();
    else loop(warm, seconds);
    return 0;
}
