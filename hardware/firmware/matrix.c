#include "matrix.h"

#include "proto.h"

#define COLUMNS_PER_REGISTER 8

/* Whole registers, up to the last column that draws current. */
static uint8_t count_columns(read_column *read)
{
    uint8_t columns = MAX_COLUMNS;
    while (columns && read(columns - 1).ma < MIN_COLUMN_MA)
        columns--;
    return (columns + COLUMNS_PER_REGISTER - 1) / COLUMNS_PER_REGISTER * COLUMNS_PER_REGISTER;
}

static uint8_t first_low(uint16_t rows)
{
    uint8_t row = 0;
    while (rows >> row & 1)
        row++;
    return row;
}

/* Reads so many columns into `raw`. A fault with code 0 is none. */
static struct fault read_columns(struct chain *chain, uint8_t columns, read_column *read)
{
    uint16_t idle = read(NO_COLUMN).rows;
    if (idle != IDLE_ROWS)
        return (struct fault){ROW_SHORTED, first_low(idle), 0};
    uint8_t *to = chain->raw;
    for (uint8_t at = 0; at < columns; at++) {
        struct column column = read(at);
        if (column.ma < MIN_COLUMN_MA || column.ma > MAX_COLUMN_MA)
            return (struct fault){COLUMN_CURRENT, at, column.ma};
        *to++ = column.rows & 0xFF;
        *to++ = column.rows >> 8;
    }
    return (struct fault){0};
}

static bool is_end(uint8_t columns, read_column *read)
{
    return columns == MAX_COLUMNS || read(columns).ma < MIN_COLUMN_MA;
}

enum scan_result scan_matrix(struct chain *chain, read_column *read)
{
    uint8_t columns = chain->strips / STRIPS_PER_COLUMN;
    if (columns && !read_columns(chain, columns, read).code && is_end(columns, read))
        return scan_debounce(chain);
    if (!scan_is_fault(chain))
        return SCAN_SAME;
    columns = count_columns(read);
    struct fault fault = read_columns(chain, columns, read);
    if (columns == 0 && !fault.code)
        fault = (struct fault){COLUMN_CURRENT, 0, read(0).ma};
    if (!fault.code)
        return scan_recount(chain, columns * STRIPS_PER_COLUMN);
    chain->fault = fault;
    return SCAN_BROKEN;
}
