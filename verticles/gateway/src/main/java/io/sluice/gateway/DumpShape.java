package io.sluice.gateway;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.sluice.shell.Dumps;
import java.util.Map;

/** How the pieces of a dump are put together into one JSON object. */
enum DumpShape {
    /** Every part of the process by its name, and in it every piece by its key. */
    PROCESS {
        @Override
        Map<String, Dumps.Source> parts(Dumps dumps) {
            return dumps.parts();
        }

        @Override
        String open(Map<String, Dumps.Source> parts) {
            return "{";
        }

        @Override
        String partOpen(String part) {
            return quoted(part) + ":{";
        }

        @Override
        String piece(String key, String json) {
            return quoted(key) + ":" + json;
        }

        @Override
        String partFailed(String sentence) {
            return quoted(FAILURE) + ":" + quoted(sentence);
        }

        @Override
        String partClose() {
            return "}\n";
        }

        @Override
        String close() {
            return "}\n";
        }
    },

    /** The pods of the agent's runners as a list, as agents have always shown them. */
    AGENT {
        private static final String PART = "agent";

        @Override
        Map<String, Dumps.Source> parts(Dumps dumps) {
            var parts = dumps.parts();
            return parts.containsKey(PART) ? Map.of(PART, parts.get(PART)) : Map.of();
        }

        @Override
        String open(Map<String, Dumps.Source> parts) {
            return "{\"stopped\":" + parts.isEmpty() + ",\"pods\":[";
        }

        @Override
        String partOpen(String part) {
            return "";
        }

        @Override
        String piece(String key, String json) {
            return json;
        }

        @Override
        String failed(String key, String sentence) {
            return "{" + quoted("vm") + ":" + quoted(key) + "," + quoted("collectionError") + ":" + quoted(sentence)
                    + "}";
        }

        @Override
        String partFailed(String sentence) {
            return failed("", sentence);
        }

        @Override
        String partClose() {
            return "";
        }

        @Override
        String close() {
            return "]}\n";
        }
    };

    private static final String FAILURE = "error";

    abstract Map<String, Dumps.Source> parts(Dumps dumps);

    abstract String open(Map<String, Dumps.Source> parts);

    abstract String partOpen(String part);

    abstract String piece(String key, String json);

    /** What stands in for the pieces of a part that did not tell their keys. */
    abstract String partFailed(String sentence);

    abstract String partClose();

    abstract String close();

    /** What stands in for a piece that could not be had. */
    String failed(String key, String sentence) {
        return "{" + quoted(FAILURE) + ":" + quoted(sentence) + "}";
    }

    private static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }
}
