package dev.swapgate.backends.sim;

import java.nio.charset.StandardCharsets;

/**
 * As much of ComfyUI's own page as matters to who stands before the server: it opens the WebSocket,
 * and again 300 ms after it was closed, for ever; where that fails at the first try, it asks for
 * {@code /prompt} each second.
 */
final class ComfyPage {

  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <head><meta charset="utf-8"><title>ComfyUI</title></head>
      <body>
      <p id="socket">closed</p>
      <p id="status"></p>
      <script>
      const show = (id, text) => { document.getElementById(id).textContent = text; };
      const api = path => fetch('/api' + path, {cache: 'no-cache'}).then(got => got.json());
      function poll() {
        setInterval(() => api('/prompt').then(
            got => show('status', JSON.stringify(got)), () => show('status', 'null')), 1000);
      }
      function connect(again) {
        let opened = false;
        const socket = new WebSocket('ws://' + location.host + '/api/ws?clientId=page');
        socket.onopen = () => { opened = true; show('socket', 'open'); };
        socket.onmessage = message => show('status', message.data);
        socket.onerror = () => { if (!again && !opened) { poll(); } };
        socket.onclose = () => {
          show('socket', 'closed');
          setTimeout(() => connect(true), 300);
        };
      }
      api('/system_stats').then(got => show('status', got.system.comfyui_version));
      connect(false);
      </script>
      </body>
      </html>
      """;

  private ComfyPage() {}

  static byte[] bytes() {
    return PAGE.getBytes(StandardCharsets.UTF_8);
  }
}
