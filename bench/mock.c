/* A model server for benchmarks: one thread, canned answers.
 *
 *   mock PORT
 *
 * A request whose body has "stream":true gets server-sent events, any other one JSON answer. The model's name sets the stream:
 * "mock-N-G" = N content chunks, G microseconds between two of them (0 = as fast as they are taken). Ends with [DONE].
 */
#include "wire.h"

#define CHUNK "{\"id\":\"chatcmpl-bench\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"mock\",\"choices\":[{\"index\":0,"
#define ANSWER                                                                                                       \
    "{\"id\":\"chatcmpl-bench\",\"object\":\"chat.completion\",\"created\":1700000000,\"model\":\"mock\",\"choices\":[{\"index\":0,"  \
    "\"message\":{\"role\":\"assistant\",\"content\":\"Latency can fall while traffic rises when a cache warms up, when slow callers " \
    "leave, or when the work is batched better; compare the hit rate, the share of each caller and the batch sizes of both weeks.\"}," \
    "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":210,\"completion_tokens\":44,\"total_tokens\":254}}"
#define MODELS                                                                                                            \
    "{\"object\":\"list\",\"data\":[{\"id\":\"mock-200-0\",\"object\":\"model\",\"created\":1700000000,\"owned_by\":\"bench\"}," \
    "{\"id\":\"mock-200-20000\",\"object\":\"model\",\"created\":1700000000,\"owned_by\":\"bench\"},"                            \
    "{\"id\":\"mock-20-5000\",\"object\":\"model\",\"created\":1700000000,\"owned_by\":\"bench\"}]}"

struct peer {
    int fd, full; /* full: the socket takes no more for now */
    struct buffer in, out;
    size_t sent;
    int streaming;
    long chunks, given; /* of the stream under way; given counts the opening and the closing event too */
    double gap, due;
    struct peer *next;
};

static struct peer *peers;
static int poller;

static void push(struct peer *p) {
    if (!transmit(p->fd, p->out.bytes, p->out.used, &p->sent)) {
        p->sent = p->out.used; /* a failed peer shows up as closed when it is read */
    }
    int full = p->sent < p->out.used;
    if (!full) p->out.used = p->sent = 0;
    if (full != p->full) {
        p->full = full;
        watch(poller, EPOLL_CTL_MOD, p->fd, EPOLLIN | (full ? EPOLLOUT : 0u), p);
    }
}

static void whole(struct peer *p, const char *json) {
    char head[128];
    size_t length = strlen(json);
    int size = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", length);
    append(&p->out, head, (size_t)size);
    append(&p->out, json, length);
}

static void event(struct peer *p, const char *data) {
    char line[512], size[16];
    int length = snprintf(line, sizeof line, "data: %s\n\n", data);
    append(&p->out, size, (size_t)snprintf(size, sizeof size, "%x\r\n", (unsigned)length));
    append(&p->out, line, (size_t)length);
    append(&p->out, "\r\n", 2);
}

static void next_event(struct peer *p) {
    char data[384];
    if (p->given == 0) {
        event(p, CHUNK "\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}");
    } else if (p->given <= p->chunks) {
        snprintf(data, sizeof data, CHUNK "\"delta\":{\"content\":\" word%ld\"},\"finish_reason\":null}]}", p->given);
        event(p, data);
    } else {
        event(p, CHUNK "\"delta\":{},\"finish_reason\":\"stop\"}]}");
        event(p, "[DONE]");
        append(&p->out, "0\r\n\r\n", 5);
        p->streaming = 0;
    }
    p->given++;
    p->due += p->gap;
}

static void begin_stream(struct peer *p, const char *body, size_t size) {
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    long microseconds = 0;
    const char *model = memmem(body, size, "\"mock-", 6);
    p->chunks = 200;
    if (model) sscanf(model, "\"mock-%ld-%ld", &p->chunks, &microseconds);
    p->gap = (double)microseconds / 1e6;
    p->given = 0;
    p->streaming = 1;
    p->due = seconds();
    append(&p->out, head, sizeof head - 1);
}

static int asks_for_stream(const char *body, size_t size) {
    const char *found = memmem(body, size, "\"stream\"", 8);
    if (!found) return 0;
    found += 8;
    while (*found == ' ' || *found == ':') found++;
    return *found == 't';
}

/* Takes one request out of what has come; 1 = one was taken. */
static int take_request(struct peer *p) {
    char *end = p->in.used ? memmem(p->in.bytes, p->in.used, "\r\n\r\n", 4) : NULL;
    if (p->streaming || !end) return 0;
    size_t head = (size_t)(end - p->in.bytes) + 4;
    const char *length = header(p->in.bytes, head, "content-length:");
    size_t size = length ? strtoul(length, NULL, 10) : 0;
    if (header(p->in.bytes, head, "transfer-encoding:")) { /* taken as one piece: what stands before the last chunk */
        const char *last = memmem(p->in.bytes + head, p->in.used - head, "\r\n0\r\n\r\n", 7);
        if (!last) return 0;
        size = (size_t)(last - p->in.bytes) + 7 - head;
    }
    if (p->in.used < head + size) return 0;
    if (!strncmp(p->in.bytes, "GET ", 4)) {
        whole(p, MODELS);
    } else if (asks_for_stream(p->in.bytes + head, size)) {
        begin_stream(p, p->in.bytes + head, size);
    } else {
        whole(p, ANSWER);
    }
    discard(&p->in, head + size);
    return 1;
}

static void forget(struct peer *gone) {
    for (struct peer **link = &peers; *link; link = &(*link)->next) {
        if (*link == gone) {
            *link = gone->next;
            break;
        }
    }
    close(gone->fd);
    free(gone->in.bytes);
    free(gone->out.bytes);
    free(gone);
}

static void welcome(int listener) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        struct peer *p = calloc(1, sizeof *p);
        no_delay(fd);
        p->fd = fd;
        p->next = peers;
        peers = p;
        watch(poller, EPOLL_CTL_ADD, fd, EPOLLIN, p);
    }
}

static void serve(struct peer *p, uint32_t events) {
    if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) && !receive(p->fd, &p->in)) {
        forget(p);
        return;
    }
    while (take_request(p)) continue;
    push(p);
}

/* Gives each stream what is due; returns the milliseconds until the next event is, -1 = none is. */
static int advance(void) {
    double now = seconds(), soonest = 1e9;
    for (struct peer *p = peers; p; p = p->next) {
        if (!p->streaming || p->full) continue;
        if (p->due <= now) { /* one event, one send: as real model servers do it */
            next_event(p);
            push(p);
        }
        if (!p->streaming) {
            while (take_request(p)) continue;
            push(p);
        }
        if (p->streaming && !p->full && p->due < soonest) soonest = p->due;
    }
    if (soonest == 1e9) return -1;
    double wait = (soonest - seconds()) * 1000;
    return wait <= 0 ? 0 : (int)wait + 1;
}

int main(int count, char **words) {
    int port = count > 1 ? atoi(words[1]) : 9100, on = 1;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = loopback(port);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1024)) fail("listen");
    poller = epoll_create1(0);
    watch(poller, EPOLL_CTL_ADD, listener, EPOLLIN, NULL);
    for (int wait = -1;;) {
        struct epoll_event ready[256];
        int n = epoll_wait(poller, ready, 256, wait);
        for (int i = 0; i < n; i++) {
            if (ready[i].data.ptr) {
                serve(ready[i].data.ptr, ready[i].events);
            } else {
                welcome(listener);
            }
        }
        wait = advance();
    }
}
