/* What differs between the boards. The files of each board, such as chain_avr.c, define all of it. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "picture.h"
#include "scan.h"

struct board {
    uint8_t layout;   /* an enum layout */
    uint16_t lights;  /* how many it may have at most */
    bool has_keys;
};

extern const struct board board;

/* Pins as they are before the first scan. */
void board_set_up(void);

/* Reads all holes once. */
enum scan_result board_scan(struct chain *chain);

/* The keys that are down: bit 4 x row + column. */
uint16_t board_keys(void);

/* Sends the picture to the lights. */
enum light_chain board_show(const struct picture *picture);

/* The current that the board's supply promises, in 100 mA; 0 if the board cannot know. */
uint8_t board_supply(void);

/* The current of each column in mA; returns how many columns there are. */
uint8_t board_currents(uint8_t strips, uint8_t *ma);

/* Writes these bytes to the I2C device with this address of seven bits; none only ask whether it is there. Returns whether
 * it acknowledged its address and every byte. Takes some 60 us a byte, whatever is on the bus. */
bool board_write_display(uint8_t address, const uint8_t *bytes, uint8_t count);

#endif
