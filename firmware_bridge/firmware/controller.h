// Frames in, replies out, and what happens by itself: animation, darkness after
// silence, buttons.
#pragma once

namespace controller {
void start();
void poll();
}  // namespace controller
