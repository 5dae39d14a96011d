DROP VIEW counted_result;
DROP TABLE player_result;
DROP TABLE result;
DROP TABLE board;
