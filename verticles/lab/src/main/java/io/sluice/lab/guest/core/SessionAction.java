package io.sluice.lab.guest.core;

/** An action that a monitor's session requests. */
public sealed interface SessionAction {
    /** Send a text message. */
    record Send(String text) implements SessionAction {}

    /** End the TCP connection after everything was sent, without a close frame. */
    record End(String reason) implements SessionAction {}

    /** Count an upscale request. */
    record RecordUpscaleRequest() implements SessionAction {}

    /** Count a denied downscale. */
    record RecordDenial(String status) implements SessionAction {}
}
