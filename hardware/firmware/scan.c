#include "scan.h"

#include <string.h>

/* Each strip signs its byte with 1 0; past the last strip come zeros. */
#define SIGNATURE 0x80
#define SIGNATURE_BITS 0xC0

static uint8_t signed_strips(const uint8_t *raw, uint8_t most)
{
    uint8_t strips = 0;
    while (strips < most && (raw[strips] & SIGNATURE_BITS) == SIGNATURE)
        strips++;
    return strips;
}

static bool ends(const uint8_t *raw, uint8_t from, uint8_t to)
{
    while (from <= to)
        if (raw[from++])
            return false;
    return true;
}

/* A byte is believed when `debounce` readings in a row agree that it is another one. */
static enum look believe(struct chain *chain)
{
    chain->odd = chain->changes = 0;
    for (uint8_t strip = 0; strip < chain->strips; strip++) {
        uint8_t now = chain->raw[strip], before = chain->state[strip];
        chain->agreed[strip] = now == chain->fresh[strip] ? chain->agreed[strip] : 0;
        chain->fresh[strip] = now;
        if (now == before || ++chain->agreed[strip] < chain->debounce)
            continue;
        chain->agreed[strip] = 0;
        chain->state[strip] = now;
        if (chain->changes < MOST_CHANGES)
            chain->change[chain->changes] = (struct change){strip, before, now};
        chain->changes++;
    }
    return chain->changes ? LOOK_CHANGED : LOOK_SAME;
}

static enum look recount(struct chain *chain, uint8_t strips)
{
    chain->strips = strips;
    chain->odd = 0;
    memcpy(chain->state, chain->raw, strips);
    memcpy(chain->fresh, chain->raw, strips);
    memset(chain->agreed, 0, strips);
    return LOOK_RECOUNTED;
}

enum look scan_look(struct chain *chain, read_chain *read)
{
    uint8_t *raw = chain->raw;
    read(raw, chain->strips + 1);
    if (chain->strips && signed_strips(raw, chain->strips) == chain->strips && !raw[chain->strips])
        return believe(chain);

    read(raw, MOST_STRIPS + 1); /* a spark spoils one reading; what is broken spoils the next as well */
    uint8_t strips = signed_strips(raw, MOST_STRIPS);
    bool is_whole = strips && ends(raw, strips, MOST_STRIPS);
    if (is_whole && strips == chain->strips)
        return believe(chain);
    if (chain->strips && ++chain->odd < chain->debounce)
        return LOOK_SAME;
    chain->odd = chain->debounce;
    if (is_whole)
        return recount(chain, strips);
    chain->broken_at = strips;
    chain->broken_by = raw[strips];
    return LOOK_BROKEN;
}
