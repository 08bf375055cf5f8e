#include "board.h"
#include "controller.h"
#include "lights.h"

int main() {
  // Before anything else: every pixel dark, whatever it showed before the reset.
  board::hold_line_low();
  lights::darken();
  board::start();
  controller::start();
  for (;;) controller::poll();
}
