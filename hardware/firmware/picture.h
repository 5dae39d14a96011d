/* The picture that the lights show: a few tints, and which of them each light has. Portable. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto.h"

#ifndef MAX_LIGHTS
#define MAX_LIGHTS 490 /* an even number; a board of four tracks has 489 holes */
#endif
#define TINTS 16
#define MAX_BRIGHTNESS 31
#define LAST_OF_PICTURE 0x80 /* added to the brightness in the last frame of a picture */

/* A picture arrives in one frame or more, in the order of the lights; it is shown when its last light has arrived.
 * Initialise to all zeros, which is dark. */
struct picture {
    uint8_t brightness;                /* of all lights, 0 to MAX_BRIGHTNESS */
    uint8_t tint[TINTS][3];            /* red, green, blue */
    uint8_t pairs[MAX_LIGHTS / 2 + 1]; /* the tints of two lights a byte, the first one in the high bits */
    uint16_t lights;                   /* how many of them have arrived; after the last frame, how many there are */
    bool is_complete;
};

/* Stores the payload of a LIGHTS frame; `is_complete` tells whether it was the last of its picture. A refused frame
 * changes nothing. */
enum refusal picture_add(struct picture *picture, const uint8_t *payload, size_t count);

/* Makes as many lights as a board can have dark. */
void picture_clear(struct picture *picture);

/* Red, green and blue of one light. */
const uint8_t *picture_tint(const struct picture *picture, uint16_t light);

#endif
