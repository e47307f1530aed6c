/** The dashboard in a real browser: Chromium, headless, driven by its own protocol. */
package dev.swapgate.proxy.page;
