"""The same `Lights` on different hardware; the `[lights]` section chooses."""

from firmware_bridge.drivers.config import LightsConfig, LightsConfigError, open_lights

__all__ = ["LightsConfig", "LightsConfigError", "open_lights"]
