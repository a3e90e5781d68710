/* An agent for any game in C, by Parlor's line protocol, without libraries: cc -O2 -o bot bot.c
   It plays the legal action with the largest id: in Leduc it raises whenever it may. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_line(char **buffer, size_t *room) {
    size_t length = 0;
    for (int c; (c = getchar()) != EOF && c != '\n';) {
        if (length + 2 > *room) {
            *room = *room ? 2 * *room : 4096;
            *buffer = realloc(*buffer, *room);
            if (!*buffer) exit(1);
        }
        (*buffer)[length++] = (char)c;
    }
    if (feof(stdin)) return NULL;
    if (*buffer) (*buffer)[length] = 0;
    return *buffer;
}

/* What stands behind "name": in a message. The protocol sends no spaces between tokens, and "id" and "type" first. */
static const char *value_of(const char *message, const char *name) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, "\"%s\":", name);
    const char *found = strstr(message, pattern);
    return found ? found + strlen(pattern) : NULL;
}

int main(void) {
    char *buffer = NULL, *message;
    size_t room = 0;
    while ((message = read_line(&buffer, &room))) {
        const char *type = value_of(message, "type");
        if (!type) continue;
        if (!strncmp(type, "\"hello\"", 7)) {
            puts("{\"type\":\"ready\",\"protocol\":1,\"name\":\"bot.c\"}");
        } else if (!strncmp(type, "\"act\"", 5)) {
            const char *id = value_of(message, "id"), *actions = strrchr(message, '[');
            for (const char *at = message; (at = value_of(at, "actions")) != NULL;) actions = at; /* the last one */
            if (!id || !actions) return 1;
            long best = -1;
            for (char *at = (char *)actions + 1; *at && *at != ']';) {
                char *end;
                long action = strtol(at, &end, 10);
                if (action > best) best = action;
                at = *end == ',' ? end + 1 : end;
            }
            printf("{\"id\":%ld,\"action\":%ld}\n", strtol(id, NULL, 10), best);
        }
        fflush(stdout);
    }
    return 0;
}
