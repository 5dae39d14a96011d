#include "scan.h"

#include <string.h>

/* Each strip begins its byte with 1 0; past the last strip everything is zero. */
#define SIGNATURE 0x80
#define SIGNATURE_BITS 0xC0

static uint8_t signed_strips(const uint8_t *raw, uint8_t limit)
{
    uint8_t strips = 0;
    while (strips < limit && (raw[strips] & SIGNATURE_BITS) == SIGNATURE)
        strips++;
    return strips;
}

static bool is_zero(const uint8_t *raw, uint8_t from, uint8_t to)
{
    while (from <= to)
        if (raw[from++])
            return false;
    return true;
}

/* Accepts a new byte of a strip once `debounce` readings in a row agree on it. */
static enum scan_result debounce(struct chain *chain)
{
    chain->invalid = chain->changes = 0;
    for (uint8_t strip = 0; strip < chain->strips; strip++) {
        uint8_t now = chain->raw[strip], before = chain->state[strip];
        chain->equal[strip] = now == chain->last[strip] ? chain->equal[strip] : 0;
        chain->last[strip] = now;
        if (now == before || ++chain->equal[strip] < chain->debounce)
            continue;
        chain->equal[strip] = 0;
        chain->state[strip] = now;
        if (chain->changes < MAX_CHANGES)
            chain->change[chain->changes] = (struct change){strip, before, now};
        chain->changes++;
    }
    return chain->changes ? SCAN_CHANGED : SCAN_SAME;
}

static enum scan_result recount(struct chain *chain, uint8_t strips)
{
    chain->strips = strips;
    chain->invalid = 0;
    memcpy(chain->state, chain->raw, strips);
    memcpy(chain->last, chain->raw, strips);
    memset(chain->equal, 0, strips);
    return SCAN_RECOUNTED;
}

enum scan_result scan_chain(struct chain *chain, read_chain *read)
{
    uint8_t *raw = chain->raw;
    read(raw, chain->strips + 1);
    if (chain->strips && signed_strips(raw, chain->strips) == chain->strips && !raw[chain->strips])
        return debounce(chain);

    read(raw, MAX_STRIPS + 1); /* a disturbance corrupts one reading, a fault corrupts the next one as well */
    uint8_t strips = signed_strips(raw, MAX_STRIPS);
    bool is_valid = strips && is_zero(raw, strips, MAX_STRIPS);
    if (is_valid && strips == chain->strips)
        return debounce(chain);
    if (chain->strips && ++chain->invalid < chain->debounce)
        return SCAN_SAME;
    chain->invalid = chain->debounce;
    if (is_valid)
        return recount(chain, strips);
    chain->broken_strip = strips;
    chain->broken_byte = raw[strips];
    return SCAN_BROKEN;
}
