"""What every room's tests share: pytester, with which the plugin tests itself."""

pytest_plugins = ["pytester"]
