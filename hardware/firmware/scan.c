#include "scan.h"

#include <string.h>

#include "proto.h"

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

enum scan_result scan_debounce(struct chain *chain)
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

enum scan_result scan_recount(struct chain *chain, uint8_t strips)
{
    chain->strips = strips;
    chain->invalid = 0;
    memcpy(chain->state, chain->raw, strips);
    memcpy(chain->last, chain->raw, strips);
    memset(chain->equal, 0, strips);
    return SCAN_RECOUNTED;
}

bool scan_is_fault(struct chain *chain)
{
    if (chain->strips && ++chain->invalid < chain->debounce)
        return false;
    chain->invalid = chain->debounce;
    return true;
}

enum scan_result scan_chain(struct chain *chain, read_chain *read)
{
    uint8_t *raw = chain->raw;
    read(raw, chain->strips + 1);
    if (chain->strips && signed_strips(raw, chain->strips) == chain->strips && !raw[chain->strips])
        return scan_debounce(chain);

    read(raw, MAX_STRIPS + 1); /* a disturbance corrupts one reading, a fault corrupts the next one as well */
    uint8_t strips = signed_strips(raw, MAX_STRIPS);
    bool is_valid = strips && is_zero(raw, strips, MAX_STRIPS);
    if (is_valid && strips == chain->strips)
        return scan_debounce(chain);
    if (!scan_is_fault(chain))
        return SCAN_SAME;
    if (is_valid)
        return scan_recount(chain, strips);
    chain->fault = (struct fault){CHAIN_BROKEN, strips, raw[strips]};
    return SCAN_BROKEN;
}
