/* The sensor chain: counts the strips, debounces their bytes and finds where the chain is broken. Portable. */
#ifndef SCAN_H
#define SCAN_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_STRIPS 120 /* a board of four tracks has 101 */
#define MAX_CHANGES 16
#define DEBOUNCE_SCANS 3

/* The result of one scan. */
enum scan_result { SCAN_SAME, SCAN_CHANGED, SCAN_RECOUNTED, SCAN_BROKEN };

struct change {
    uint8_t strip, before, after;
};

struct chain {
    uint8_t strips;              /* 0: no valid reading yet */
    uint8_t state[MAX_STRIPS];   /* the debounced byte of each strip */
    uint8_t debounce;            /* how many readings in a row must agree */
    uint8_t broken_strip, broken_byte; /* after SCAN_BROKEN: the first strip without a signature, and its byte */
    uint8_t changes;             /* how many strips changed; above MAX_CHANGES not all of them are in `change` */
    struct change change[MAX_CHANGES];
    /* Private */
    uint8_t raw[MAX_STRIPS + 1]; /* the last reading */
    uint8_t last[MAX_STRIPS];    /* the byte of each strip in the last reading */
    uint8_t equal[MAX_STRIPS];   /* how many readings in a row had that byte, if it is not the state */
    uint8_t invalid;             /* how many readings in a row were not valid */
};

/* Samples all switches, then reads so many bytes, nearest strip first. */
typedef void read_chain(uint8_t *bytes, uint8_t count);

/* Reads the chain once, or twice if the first reading is not valid. */
enum scan_result scan_chain(struct chain *chain, read_chain *read);

#endif
