/* The sensor chain: counts the strips, debounces their bytes and finds where the chain is broken. Portable. The matrix
 * (matrix.h) has the same state: each column counts as two strips. */
#ifndef SCAN_H
#define SCAN_H

#include <stdbool.h>
#include <stdint.h>

#ifndef MAX_STRIPS
#define MAX_STRIPS 120 /* a board of four tracks has 101 */
#endif
#define MAX_CHANGES 16
#define DEBOUNCE_SCANS 3

/* The result of one scan. */
enum scan_result { SCAN_SAME, SCAN_CHANGED, SCAN_RECOUNTED, SCAN_BROKEN };

struct change {
    uint8_t strip, before, after;
};

/* Why there is no state: the payload of an ERROR frame. `code` is an `error_code`. */
struct fault {
    uint8_t code, place, value;
};

struct chain {
    uint8_t strips;              /* 0: no valid reading yet */
    uint8_t state[MAX_STRIPS];   /* the debounced byte of each strip */
    uint8_t debounce;            /* how many readings in a row must agree */
    struct fault fault;          /* after SCAN_BROKEN; CHAIN_BROKEN: the first strip without a signature, and its byte */
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

/* For a valid reading in `raw`: accepts a new byte of a strip once `debounce` readings in a row agree on it. */
enum scan_result scan_debounce(struct chain *chain);

/* Takes the reading in `raw` as the state of so many strips. */
enum scan_result scan_recount(struct chain *chain, uint8_t strips);

/* Counts a reading that is not valid. Returns true once `debounce` of them in a row make a fault. */
bool scan_is_fault(struct chain *chain);

#endif
