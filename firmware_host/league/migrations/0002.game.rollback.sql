DROP TABLE refusal;
DROP INDEX result_of_board;
DROP TABLE game;
