/**
 * Pictures for those who ask a chat server for them: {@code POST /v1/images/generations}, in
 * OpenAI's words, for named workflows. It makes jobs of requests, waits for them and hands out what
 * they made. Asks the gate's façade and reads its store; imports proxy.http, proxy.workflows and of
 * proxy.jobs where results lie. The chat side knows it only as a {@link
 * dev.swapgate.proxy.http.Detour}.
 */
@NullMarked
package dev.swapgate.proxy.images;

import org.jspecify.annotations.NullMarked;
