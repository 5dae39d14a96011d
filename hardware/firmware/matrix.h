/* The sensor matrix: one column of hall switches has power at a time, and pulls low the rows where there is a magnet.
 * Counts the columns by the current that they draw, debounces the rows and finds faults of the lines. Portable. */
#ifndef MATRIX_H
#define MATRIX_H

#include "scan.h"

#define ROWS 16
#define MAX_COLUMNS 32
#define STRIPS_PER_COLUMN 2 /* rows 0 to 7, lowest bit first, then rows 8 to 15 */
#define NO_COLUMN 0xFF
#define IDLE_ROWS 0xFFFF

/* Fifteen switches of 2 to 4 mA each draw 30 to 60 mA. */
#define MIN_COLUMN_MA 15
#define MAX_COLUMN_MA 100

/* What a column shows while it has power: bit `row` is 0 where there is a magnet; the current, 255 mA or more as 255. */
struct column {
    uint16_t rows;
    uint8_t ma;
};

/* Gives one column power, or none for NO_COLUMN, and reads all rows. */
typedef struct column read_column(uint8_t column);

/* Reads the whole matrix once. A fault is ROW_SHORTED (the row, 0), or COLUMN_CURRENT (the column, its mA). */
enum scan_result scan_matrix(struct chain *chain, read_column *read);

#endif
