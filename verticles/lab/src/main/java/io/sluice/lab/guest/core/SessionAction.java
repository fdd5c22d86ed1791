package io.sluice.lab.guest.core;

/** What a monitor's session wants done. */
public sealed interface SessionAction {
    /** Send a text message. */
    record Say(String text) implements SessionAction {}

    /** End the TCP connection once everything said is sent, without a close frame. */
    record End(String reason) implements SessionAction {}

    /** Note that the monitor cried. */
    record RecordUpscaleRequest() implements SessionAction {}

    /** Note that it refused to shrink. */
    record RecordDenial(String status) implements SessionAction {}
}
