/* What the model server and the load generator share: growing buffers, sockets, time. Loopback only. */
#ifndef ELUVIX_BENCH_WIRE_H
#define ELUVIX_BENCH_WIRE_H

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct buffer {
    char *bytes;
    size_t used, size;
};

static inline void fail(const char *what) {
    perror(what);
    exit(2);
}

static inline double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Room for `more` bytes and a terminating zero behind what is used. */
static inline char *reserve(struct buffer *b, size_t more) {
    if (b->used + more + 1 > b->size) {
        b->size = (b->used + more + 1) * 2;
        b->bytes = realloc(b->bytes, b->size);
        if (!b->bytes) fail("realloc");
    }
    return b->bytes + b->used;
}

static inline void append(struct buffer *b, const char *bytes, size_t count) {
    memcpy(reserve(b, count), bytes, count);
    b->used += count;
    b->bytes[b->used] = 0;
}

static inline void discard(struct buffer *b, size_t count) {
    memmove(b->bytes, b->bytes + count, b->used - count);
    b->used -= count;
    b->bytes[b->used] = 0;
}

/* Reads what is there. 1 = something came or may come, 0 = the peer closed or failed. */
static inline int receive(int fd, struct buffer *into) {
    for (;;) {
        char *room = reserve(into, 65536);
        ssize_t got = recv(fd, room, 65536, MSG_DONTWAIT);
        if (got > 0) {
            into->used += (size_t)got;
            into->bytes[into->used] = 0;
            if (got < 65536) return 1;
        } else {
            return got < 0 && (errno == EAGAIN || errno == EINTR);
        }
    }
}

/* Sends from `*sent` on. 1 = all gone or the socket is full, 0 = the peer failed. */
static inline int transmit(int fd, const char *bytes, size_t count, size_t *sent) {
    while (*sent < count) {
        ssize_t gone = send(fd, bytes + *sent, count - *sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (gone < 0) return errno == EAGAIN || errno == EINTR;
        *sent += (size_t)gone;
    }
    return 1;
}

/* The value of a header inside a head, or NULL. `name` in lower case with its colon. */
static inline const char *header(const char *head, size_t size, const char *name) {
    size_t length = strlen(name);
    const char *end = head + size;
    for (const char *line = memchr(head, '\n', size); line; line = memchr(line, '\n', (size_t)(end - line))) {
        line++;
        if ((size_t)(end - line) > length && !strncasecmp(line, name, length)) {
            line += length;
            while (*line == ' ') line++;
            return line;
        }
    }
    return NULL;
}

static inline void no_delay(int fd) {
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static inline struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static inline void watch(int poller, int how, int fd, uint32_t events, void *owner) {
    struct epoll_event event = {.events = events, .data.ptr = owner};
    if (epoll_ctl(poller, how, fd, &event)) fail("epoll_ctl");
}

#endif
