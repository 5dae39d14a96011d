/* The serial port and the clock of the chip. */
#ifndef PORT_H
#define PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sends these bytes; waits while more than 255 of them are not sent yet. */
void port_send(const uint8_t *bytes, size_t count);

/* Takes the next received byte; false if there is none. */
bool port_receive(uint8_t *byte);

/* Time since the reset. */
uint32_t port_now_ms(void);

#endif
