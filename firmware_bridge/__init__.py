"""Lights in, acknowledged LED frames out.

`open_lights` in `firmware_bridge.drivers` gives the sink that a configuration
asks for; `LightsBridge` in `firmware_bridge.bridge` is the one for the
project's own controller.
"""
