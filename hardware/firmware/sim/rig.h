/* What the emulated chip is connected to. One file of a model, such as chain_model.c, defines all of it. */
#ifndef RIG_H
#define RIG_H

#include <stdbool.h>

#include <sim_avr.h>

#define HERTZ 16000000
#define US (HERTZ / 1000000)

/* Listens to the pins of a chip that has just got its power. */
void model_attach(avr_t *chip);

/* Executes a command, which may print lines; false if the model does not know it. */
bool model_execute(const char *line);

/* The chip is reset. */
void model_reset(void);

/* A byte from the host is complete. */
void model_received(void);

/* Reports what must not happen on a board, and ends the emulator. */
void rig_fail(const char *format, ...);

#endif
