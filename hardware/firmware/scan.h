/* The chain of strips: how many there are, what is believed of each, and what is broken. */
#ifndef SCAN_H
#define SCAN_H

#include <stdbool.h>
#include <stdint.h>

#define MOST_STRIPS 120 /* a board of four tracks has 101 */
#define MOST_CHANGES 16
#define DEBOUNCE_SCANS 3

/* What a look brought. */
enum look { LOOK_SAME, LOOK_CHANGED, LOOK_RECOUNTED, LOOK_BROKEN };

struct change {
    uint8_t strip, before, now;
};

struct chain {
    uint8_t strips;              /* 0: never yet read in one piece */
    uint8_t state[MOST_STRIPS];  /* the byte of each strip, as it has settled */
    uint8_t debounce;            /* how many readings in a row must agree */
    uint8_t broken_at, broken_by; /* the first strip that did not sign, and its byte; after LOOK_BROKEN */
    uint8_t changes;             /* how many of these there were; more than MOST_CHANGES: not all were kept */
    struct change change[MOST_CHANGES];
    /* Private. */
    uint8_t raw[MOST_STRIPS + 1], fresh[MOST_STRIPS], agreed[MOST_STRIPS], odd;
};

/* Freezes all switches, then reads so many bytes, nearest strip first. */
typedef void read_chain(uint8_t *bytes, uint8_t count);

/* Read the chain once, or twice where the first reading was not sound. */
enum look scan_look(struct chain *chain, read_chain *read);

#endif
