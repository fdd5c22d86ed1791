package io.sluice.vectors.monitor;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalInt;

/**
 * One event of a recording on a connection.
 *
 * @param fromAgent whether the agent caused it
 * @param connection number of the connection, from 1
 * @param atMs time since the start of the recording
 * @param type kind of frame, or of the start or end of a connection
 * @param text payload of the frame; the start of it if it was long; of HTTP the first line
 * @param code code of a close frame
 * @param json the whole line
 */
record Step(boolean fromAgent, int connection, double atMs, String type, String text, OptionalInt code, JsonNode json) {
    private static final String AGENT = "agent->monitor";
    private static final String MONITOR = "monitor->agent";

    /** Whether a line is a step; events outside of the connections are not. */
    static boolean isOne(JsonNode line) {
        var direction = line.path("dir").asText();
        return direction.equals(AGENT) || direction.equals(MONITOR);
    }

    static Step of(JsonNode line) {
        return new Step(
                line.path("dir").asText().equals(AGENT),
                line.path("conn").asInt(1),
                line.path("t_ms").asDouble(),
                line.path("type").asText(),
                line.path("text").asText(),
                line.path("code").isInt() ? OptionalInt.of(line.path("code").intValue()) : OptionalInt.empty(),
                line);
    }

    boolean fromMonitor() {
        return !fromAgent;
    }

    boolean isText() {
        return type.equals("text");
    }

    /** Whether TCP ended with it. */
    boolean isEnd() {
        return type.equals("eof") || type.equals("reset");
    }

    boolean isHttp() {
        return type.equals("http");
    }

    /** The status of an HTTP response. */
    int status() {
        return Integer.parseInt(text.split(" ")[1]);
    }

    boolean upgrades() {
        return isHttp() && fromMonitor() && status() == 101;
    }

    /** Whether the agent gives the connection up. */
    boolean givesUp() {
        return fromAgent && (type.equals("close") || isEnd());
    }
}
