/* The scanner's side of hole-scan/1: sends what the scans find, and does what the host asks for. Portable. */
#ifndef LINK_H
#define LINK_H

#include <stdint.h>

#define DARK_MS 5000 /* without a picture for so long, lights go dark: the host sends one every second */

/* Reads the board for the first time, and says hello. */
void link_start(void);

/* Processes all bytes that have arrived. */
void link_receive(void);

/* Scans the board once and sends what has changed; sends the state after a change and when a snapshot is due. */
void link_scan(uint32_t now_ms);

#endif
