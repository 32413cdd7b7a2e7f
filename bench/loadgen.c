/* A closed-loop load generator: each client sends its next request when its last one is answered. Plain HTTP/1.1 to 127.0.0.1.
 *
 *   loadgen -p PORT -b BODYFILE [-c CLIENTS] [-n REQUESTS] [-w WARMUP] [-s] [-t SECONDS] [-H 'name: value']...
 *
 * "########" in the body becomes a number of its own for each request. -s reads server-sent events. Prints one JSON object.
 */
#include "wire.h"

struct client {
    int fd;
    size_t sent;
    struct buffer in;
    long number; /* of the request under way, -1 = idle */
    int status, chunked, in_body, closing;
    long left;      /* bytes of the body, or of the chunk, still to come; -1 = the size line of a chunk comes next */
    int last_chunk; /* the chunk of size 0 was seen */
    int line;       /* how much of "data:" the current line has matched, -1 = another line */
    int done_at;    /* how much of "[DONE]" has been matched */
    long events;
    int done;
    double started, first, latest, widest;
};

static struct {
    int port, clients, streaming;
    long requests, warmup;
    double limit;
} plan = {.port = 0, .clients = 1, .requests = 1000, .limit = 60};

static struct buffer request;
static char *mark;
static long base_number, begun, finished, errors, refused, counted, events, dones;
static double *took, *first_after, *gaps, measured_from;
static int poller;

static void begin(struct client *c);

static void hang_up(struct client *c) {
    if (c->fd >= 0) close(c->fd);
    c->fd = -1;
}

static int dial(struct client *c) {
    struct sockaddr_in address = loopback(plan.port);
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(c->fd, (struct sockaddr *)&address, sizeof address)) {
        hang_up(c);
        return 0;
    }
    no_delay(c->fd);
    watch(poller, EPOLL_CTL_ADD, c->fd, EPOLLIN, c);
    return 1;
}

static void send_rest(struct client *c) {
    if (!transmit(c->fd, request.bytes, request.used, &c->sent)) return; /* shows up as closed */
    uint32_t wanted = EPOLLIN | (c->sent < request.used ? EPOLLOUT : 0u);
    watch(poller, EPOLL_CTL_MOD, c->fd, wanted, c);
}

static void begin(struct client *c) {
    for (c->number = -1; begun < plan.requests + plan.warmup;) {
        if (begun == plan.warmup) measured_from = seconds();
        *c = (struct client){.fd = c->fd, .in = c->in, .number = begun++};
        c->in.used = 0;
        if (mark) {
            char digits[16];
            snprintf(digits, sizeof digits, "%08ld", (base_number + c->number) % 100000000);
            memcpy(mark, digits, 8);
        }
        c->started = seconds();
        if (c->fd >= 0 || dial(c)) {
            /* A body that differs is sent whole at once: one that does not fit into the socket would change under way. */
            send_rest(c);
            return;
        }
        errors++;
        finished++;
        c->number = -1;
    }
    hang_up(c);
}

static void end(struct client *c, int ok) {
    double now = seconds();
    finished++;
    if (!ok) errors++;
    if (ok && c->status != 200) refused++;
    if (ok && c->number >= plan.warmup) {
        took[counted] = (now - c->started) * 1000;
        first_after[counted] = c->first ? (c->first - c->started) * 1000 : 0;
        gaps[counted++] = c->widest * 1000;
        events += c->events;
        dones += c->done;
    }
    if (!ok) hang_up(c);
    begin(c);
}

/* Looks at body bytes: counts lines that begin with "data:", notes [DONE] and the times between events. */
static void look(struct client *c, const char *bytes, long count) {
    static const char opening[] = "data:", closing[] = "[DONE]";
    long before = c->events;
    for (long i = 0; i < count; i++) {
        char now = bytes[i];
        if (now == '\n') {
            c->line = 0;
        } else if (c->line >= 0) {
            c->line = now == opening[c->line] ? c->line + 1 : -1;
            if (c->line == 5) {
                c->events++;
                c->line = -1;
            }
        }
        c->done_at = now == closing[c->done_at] ? c->done_at + 1 : now == closing[0];
        if (c->done_at == 6) {
            c->done = 1;
            c->done_at = 0;
        }
    }
    if (c->events == before) return;
    double at = seconds();
    if (!c->first) c->first = at;
    if (c->latest && at - c->latest > c->widest) c->widest = at - c->latest;
    c->latest = at;
}

static int take_head(struct client *c) {
    char *stop = memmem(c->in.bytes, c->in.used, "\r\n\r\n", 4);
    if (!stop) return 0;
    size_t size = (size_t)(stop - c->in.bytes) + 4;
    const char *length = header(c->in.bytes, size, "content-length:");
    c->chunked = header(c->in.bytes, size, "transfer-encoding:") != NULL;
    const char *connection = header(c->in.bytes, size, "connection:");
    c->closing = connection && !strncasecmp(connection, "close", 5);
    c->status = c->in.used > 12 ? atoi(c->in.bytes + 9) : 0;
    c->left = c->chunked ? -1 : length ? atol(length) : 0;
    c->in_body = 1;
    discard(&c->in, size);
    return 1;
}

/* Takes a chunk's size line, or the end of a chunk; 1 = something was taken. */
static int take_size(struct client *c) {
    char *stop = memchr(c->in.bytes, '\n', c->in.used);
    if (!stop) return 0;
    size_t size = (size_t)(stop - c->in.bytes) + 1;
    int empty = size <= 2;
    if (!empty) {
        c->left = strtol(c->in.bytes, NULL, 16);
        c->last_chunk = c->left == 0;
        if (c->last_chunk) c->left = -1;
    }
    discard(&c->in, size);
    return empty && c->last_chunk ? 2 : 1;
}

/* Works through what has come. 1 = the answer is complete. */
static int digest(struct client *c) {
    if (!c->in_body && !take_head(c)) return 0;
    for (;;) {
        if (c->left > 0) {
            long part = (long)c->in.used < c->left ? (long)c->in.used : c->left;
            if (plan.streaming) look(c, c->in.bytes, part);
            discard(&c->in, (size_t)part);
            c->left -= part;
            if (c->left > 0) return 0;
        }
        if (!c->chunked) return 1;
        c->left = -1;
        int taken = take_size(c);
        if (taken != 1) return taken == 2;
    }
}

static void serve(struct client *c, uint32_t ready) {
    if (c->fd < 0 || c->number < 0) return;
    if (ready & EPOLLOUT) send_rest(c);
    if (!(ready & (EPOLLIN | EPOLLHUP | EPOLLERR))) return;
    int open = receive(c->fd, &c->in);
    if (c->in.used && digest(c)) {
        if (!open || c->closing) hang_up(c);
        end(c, 1);
    } else if (!open) {
        end(c, 0);
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double at(const double *sorted, double part) {
    return counted ? sorted[(long)(part * (double)(counted - 1) + 0.5)] : 0;
}

static void report(int timed_out) {
    double wall = seconds() - (measured_from ? measured_from : seconds());
    qsort(took, (size_t)counted, sizeof *took, ascending);
    qsort(first_after, (size_t)counted, sizeof *first_after, ascending);
    qsort(gaps, (size_t)counted, sizeof *gaps, ascending);
    printf("{\"n\":%ld,\"errors\":%ld,\"refused\":%ld,\"timed_out\":%s,\"wall_s\":%.4f,", counted, errors, refused, timed_out ? "true" : "false", wall);
    printf("\"per_s\":%.1f,\"p50_ms\":%.4f,\"p99_ms\":%.4f,", wall > 0 ? (double)counted / wall : 0, at(took, .5), at(took, .99));
    printf("\"first_p50_ms\":%.4f,\"first_p99_ms\":%.4f,\"gap_p99_ms\":%.4f,", at(first_after, .5), at(first_after, .99), at(gaps, .99));
    printf("\"events\":%ld,\"events_per_s\":%.1f,\"done\":%ld}\n", events, wall > 0 ? (double)events / wall : 0, dones);
}

static void load_request(const char *path, const char *headers) {
    struct buffer body = {0};
    FILE *file = fopen(path, "rb");
    if (!file) fail(path);
    for (size_t got = 1; got; body.used += got) got = fread(reserve(&body, 65536), 1, 65536, file);
    fclose(file);
    char head[9000];
    int size = snprintf(head, sizeof head,
                        "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
                        "Content-Length: %zu\r\n%s\r\n", plan.port, body.used, headers);
    append(&request, head, (size_t)size);
    append(&request, body.bytes, body.used);
    free(body.bytes);
    mark = memmem(request.bytes, request.used, "########", 8);
}

static void parse(int count, char **words) {
    char headers[8192] = "";
    const char *body = NULL;
    for (int option; (option = getopt(count, words, "p:b:c:n:w:st:H:")) != -1;) {
        switch (option) {
        case 'p': plan.port = atoi(optarg); break;
        case 'b': body = optarg; break;
        case 'c': plan.clients = atoi(optarg); break;
        case 'n': plan.requests = atol(optarg); break;
        case 'w': plan.warmup = atol(optarg); break;
        case 's': plan.streaming = 1; break;
        case 't': plan.limit = atof(optarg); break;
        case 'H':
            strncat(headers, optarg, sizeof headers - strlen(headers) - 1);
            strncat(headers, "\r\n", sizeof headers - strlen(headers) - 1);
            break;
        default: exit(2);
        }
    }
    if (!body || !plan.port) {
        fprintf(stderr, "loadgen: -p PORT and -b BODYFILE are needed\n");
        exit(2);
    }
    load_request(body, headers);
}

int main(int count, char **words) {
    parse(count, words);
    size_t most = (size_t)(plan.requests + plan.warmup) + 1;
    took = calloc(most, sizeof *took);
    first_after = calloc(most, sizeof *first_after);
    gaps = calloc(most, sizeof *gaps);
    base_number = (long)(seconds() * 1000) % 100000000;
    poller = epoll_create1(0);
    struct client *clients = calloc((size_t)plan.clients, sizeof *clients);
    double until = seconds() + plan.limit;
    for (int i = 0; i < plan.clients; i++) {
        clients[i].fd = -1;
        begin(&clients[i]);
    }
    int timed_out = 0;
    while (finished < plan.requests + plan.warmup && !(timed_out = seconds() > until)) {
        struct epoll_event ready[256];
        int n = epoll_wait(poller, ready, 256, 200);
        for (int i = 0; i < n; i++) serve(ready[i].data.ptr, ready[i].events);
    }
    report(timed_out);
    return 0;
}
