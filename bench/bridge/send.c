/*
 * The pages of bench/bridge: many WebSockets in one epoll loop, each of which sends the same prepared bytes.
 *
 *     send PORT key=value...
 *
 * hello=FILE   one line of JSON per page: its hello, the first message
 * stream=FILE  masked frames, sent as they are behind the hello
 * repeat=N     so many times (default 1)
 * rate=BYTES   at most so many bytes of the stream per page and second (default: as fast as they are taken)
 * pids=PID[,PID...]  whose CPU time is counted
 *
 * The time runs from the first byte of the stream to the last pong: behind the stream each page sends a ping,
 * and a server answers it when it has taken all before it. One line of JSON is printed then, and the
 * sockets stay open until standard input ends. Any close frame or lost connection is an error.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 65536, PAGES = 1024 };

struct page {
    int fd;
    char *hello; /* as frames, the first ping behind it */
    size_t hello_size;
    size_t sent;       /* of the stream, this time */
    long turn;         /* which repetition */
    int pinged, done;  /* the last ping is out; its pong is here */
    size_t ping_sent;
    int watching;      /* for room to write */
    double credit, credited_at; /* bytes that may be sent now, where the rate is limited */
    unsigned char head[64]; /* an unfinished frame from the server */
    size_t head_size;
    size_t skip;
};

static struct page pages[PAGES];
static int page_count, pids[64], pid_count, epoll_fd;
static const char *stream;
static size_t stream_size;
static long repeat = 1;
static double rate, began;
static const unsigned char PING[] = {0x89, 0x83, 0, 0, 0, 0, 'e', 'n', 'd'};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void die(const char *words) {
    fprintf(stderr, "%s: %s\n", words, strerror(errno));
    exit(1);
}

static double cpu_seconds(void) {
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
    return sum / 1e9;
}

static size_t framed(char *out, const char *text, size_t size) {
    size_t at = 0;
    out[at++] = (char)0x81;
    if (size < 126) {
        out[at++] = (char)(0x80 | size);
    } else {
        out[at++] = (char)(0x80 | 126);
        out[at++] = (char)(size >> 8);
        out[at++] = (char)size;
    }
    memset(out + at, 0, 4);
    memcpy(out + at + 4, text, size);
    return at + 4 + size;
}

static void dial(struct page *page, int port, const char *hello, size_t size) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    char request[400], answer[4096];
    size_t got = 0;
    int one = 1;
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    page->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (page->fd < 0 || connect(page->fd, (void *)&address, sizeof address)) die("connect");
    setsockopt(page->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    int length = snprintf(request, sizeof request,
                          "GET /reticle HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                          "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                          "Sec-WebSocket-Version: 13\r\n\r\n", port);
    if (write(page->fd, request, length) != length) die("upgrade");
    /* One byte at a time: what follows the head is frames. */
    while (got < sizeof answer && (got < 4 || memcmp(answer + got - 4, "\r\n\r\n", 4))) {
        if (read(page->fd, answer + got, 1) != 1) die("upgrade");
        got++;
    }
    if (memcmp(answer, "HTTP/1.1 101", 12)) die("no upgrade");
    page->hello = malloc(size + 64);
    page->hello_size = framed(page->hello, hello, size);
    memcpy(page->hello + page->hello_size, PING, sizeof PING);
    page->hello_size += sizeof PING;
    if (write(page->fd, page->hello, page->hello_size) != (ssize_t)page->hello_size) die("hello");
}

/* Reads what the server says; 1 when a pong with our text came. */
static int listen_to(struct page *page) {
    unsigned char bytes[CHUNK];
    int ponged = 0;
    ssize_t got = read(page->fd, bytes, sizeof bytes);
    if (got <= 0) {
        if (got < 0 && errno == EAGAIN) return 0;
        die("a connection was lost");
    }
    for (ssize_t at = 0; at < got;) {
        if (page->skip) {
            size_t step = page->skip < (size_t)(got - at) ? page->skip : (size_t)(got - at);
            page->skip -= step;
            at += step;
            continue;
        }
        page->head[page->head_size++] = bytes[at++];
        if (page->head_size < 2) continue;
        size_t size = page->head[1] & 127, head = size < 126 ? 2 : size == 126 ? 4 : 10;
        if (page->head_size < head) continue;
        if (size >= 126) {
            size = 0;
            for (size_t i = 2; i < head; i++) size = size << 8 | page->head[i];
        }
        int opcode = page->head[0] & 15;
        if (opcode == 8) errno = 0, die("the server closed a page");
        if (opcode == 10 && size == 3) ponged = 1;
        page->skip = size;
        page->head_size = 0;
    }
    return ponged;
}

static void watch(struct page *page, int writing) {
    struct epoll_event event = {.events = EPOLLIN | (writing ? EPOLLOUT : 0), .data.ptr = page};
    if (page->watching == writing) return;
    page->watching = writing;
    if (epoll_ctl(epoll_fd, EPOLL_CTL_MOD, page->fd, &event)) die("epoll");
}

static int feed(struct page *page) {
    while (page->turn < repeat) {
        size_t left = stream_size - page->sent, step = left < CHUNK ? left : CHUNK;
        if (rate > 0) {
            /* What was not sent in time is not made up for: a server that stood still would meet a flood. */
            double at = now();
            page->credit += (at - page->credited_at) * rate;
            if (page->credit > rate / 20) page->credit = rate / 20;
            page->credited_at = at;
            if (page->credit < 1) return 0;
            if (page->credit < (double)step) step = (size_t)page->credit;
        }
        ssize_t put = send(page->fd, stream + page->sent, step, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put < 0) {
            if (errno != EAGAIN) die("send");
            return 1;
        }
        page->sent += put;
        page->credit -= put;
        if (page->sent == stream_size) page->sent = 0, page->turn++;
        return 1; /* pages take turns */
    }
    while (page->ping_sent < sizeof PING) {
        ssize_t put = send(page->fd, PING + page->ping_sent, sizeof PING - page->ping_sent,
                           MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put < 0) {
            if (errno != EAGAIN) die("send");
            return 1;
        }
        page->ping_sent += put;
    }
    page->pinged = 1;
    return 0;
}

static char *whole(const char *name, size_t *size) {
    struct stat about;
    int fd = open(name, O_RDONLY);
    if (fd < 0 || fstat(fd, &about)) die(name);
    *size = about.st_size;
    char *bytes = mmap(NULL, *size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (bytes == MAP_FAILED) die(name);
    close(fd);
    return bytes;
}

int main(int count, char **words) {
    int port = atoi(words[1]), done = 0;
    size_t hello_size = 0;
    char *hello = NULL;
    for (int i = 2; i < count; i++) {
        char *value = strchr(words[i], '=') + 1;
        if (!strncmp(words[i], "hello=", 6)) hello = whole(value, &hello_size);
        if (!strncmp(words[i], "stream=", 7)) stream = whole(value, &stream_size);
        if (!strncmp(words[i], "repeat=", 7)) repeat = atol(value);
        if (!strncmp(words[i], "rate=", 5)) rate = atof(value);
        if (!strncmp(words[i], "pids=", 5))
            for (char *pid = strtok(value, ","); pid; pid = strtok(NULL, ",")) pids[pid_count++] = atoi(pid);
    }
    for (char *line = hello, *end = hello + hello_size; line < end && page_count < PAGES;) {
        char *stop = memchr(line, '\n', end - line);
        dial(&pages[page_count++], port, line, stop - line);
        line = stop + 1;
    }
    epoll_fd = epoll_create1(0);
    for (int i = 0; i < page_count; i++) {
        while (!listen_to(&pages[i])) continue; /* the hello is taken */
        fcntl(pages[i].fd, F_SETFL, O_NONBLOCK);
        struct epoll_event event = {.events = EPOLLIN | (rate > 0 ? 0 : EPOLLOUT), .data.ptr = &pages[i]};
        pages[i].watching = rate > 0 ? 0 : 1;
        if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, pages[i].fd, &event)) die("epoll");
    }
    double cpu = cpu_seconds();
    began = now();
    for (int i = 0; i < page_count; i++) pages[i].credited_at = began;
    while (done < page_count) {
        struct epoll_event events[128];
        int ready = epoll_wait(epoll_fd, events, 128, rate > 0 ? 2 : 1000);
        for (int i = 0; i < ready; i++) {
            struct page *page = events[i].data.ptr;
            if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR) && listen_to(page) && page->pinged && !page->done)
                page->done = 1, done++;
            if (events[i].events & EPOLLOUT) watch(page, feed(page));
        }
        if (rate > 0)
            for (int i = 0; i < page_count; i++)
                if (!pages[i].pinged && !pages[i].watching) watch(&pages[i], feed(&pages[i]));
    }
    double took = now() - began;
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    printf("{\"seconds\": %.6f, \"cpu_seconds\": %.6f, \"sender_cpu_seconds\": %.6f, \"pages\": %d}\n", took,
           cpu_seconds() - cpu,
           own.ru_utime.tv_sec + own.ru_utime.tv_usec / 1e6 + own.ru_stime.tv_sec + own.ru_stime.tv_usec / 1e6,
           page_count);
    fflush(stdout);
    while (getchar() != EOF) continue;
    return 0;
}
