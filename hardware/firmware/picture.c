#include "picture.h"

#include <string.h>

#define HEAD 4 /* bytes before the tints: brightness, number of tints, first light */

enum refusal picture_add(struct picture *picture, const uint8_t *payload, size_t count)
{
    if (MAX_LIGHTS == 0)
        return NO_LIGHTS;
    if (count < HEAD)
        return WRONG_LENGTH;
    bool is_last = payload[0] & LAST_OF_PICTURE;
    uint8_t brightness = payload[0] & ~LAST_OF_PICTURE, tints = payload[1];
    uint16_t first = payload[2] << 8 | payload[3];
    size_t head = HEAD + 3 * (size_t)tints;
    if (brightness > MAX_BRIGHTNESS || tints > TINTS || first > MAX_LIGHTS)
        return OUT_OF_RANGE;
    if (count <= head || first % 2)
        return WRONG_LENGTH;
    size_t pairs = count - head;
    if (first + 2 * pairs > MAX_LIGHTS)
        return OUT_OF_RANGE;
    if (first && (picture->is_complete || first != picture->lights))
        return OUT_OF_ORDER;
    picture->brightness = brightness;
    memcpy(picture->tint, payload + HEAD, 3 * (size_t)tints);
    memcpy(picture->pairs + first / 2, payload + head, pairs);
    picture->lights = first + 2 * pairs;
    picture->is_complete = is_last;
    return ACCEPTED;
}

void picture_clear(struct picture *picture)
{
    memset(picture, 0, sizeof *picture);
    picture->lights = MAX_LIGHTS;
    picture->is_complete = true;
}

const uint8_t *picture_tint(const struct picture *picture, uint16_t light)
{
    uint8_t pair = picture->pairs[light / 2];
    return picture->tint[light % 2 ? pair & 0x0F : pair >> 4];
}
