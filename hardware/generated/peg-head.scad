// The head of a peg, standing on its lower end: its silhouette as radius and height. Print one per peg.
// Made by `cribboard draw`. Millimetres.
bore = 3.1;
socket = 7;
silhouette = [[2.4, 0], [2.4, 1.08], [2, 6.3], [4, 14.4], [3.6, 16.56], [2, 18], [0, 18]];

rotate_extrude($fn = 48) polygon(concat(
  silhouette, [[0, socket], [bore / 2, socket], [bore / 2, 0]]));
