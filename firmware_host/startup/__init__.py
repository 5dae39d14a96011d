"""The parts of a start, which `firmware_host.app` puts together: boards, services and network; a demonstration club."""
