// Heads of pegs to tell by touch, for tracks 1 to 4 from the left: round, triangular, square, grooved.
// Made by `cribboard draw`. Millimetres.
bore = 3.1;
socket = 7;
head = 8;
head_height = 18;
flat = 2.88;
groove = 1.2;
silhouette = [[2.4, 0], [2.4, 1.08], [2, 6.3], [4, 14.4], [3.6, 16.56], [2, 18], [0, 18]];

module body() rotate_extrude($fn = 48) polygon(concat(
  silhouette, [[0, socket], [bore / 2, socket], [bore / 2, 0]]));
module cut_to(sides) intersection() {
  body();
  union() {
    cylinder(h = socket + 1, d = 2 * head);
    rotate(180 / sides) cylinder(h = head_height + 1, r = flat / cos(180 / sides), $fn = sides);
  }
}
module grooved() difference() {
  body();
  for (share = [0.68, 0.84]) translate([0, 0, share * head_height]) rotate_extrude($fn = 48)
    translate([head / 2, 0]) circle(d = groove, $fn = 12);
}
body();
translate([2 * head, 0]) cut_to(3);
translate([4 * head, 0]) cut_to(4);
translate([6 * head, 0]) grooved();
