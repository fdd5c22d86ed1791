package io.sluice.gateway;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.sluice.shell.Dumps;
import java.util.Map;

/** How the pieces of a dump are put together into one JSON object. */
enum DumpShape {
    /** Every part of the process by its name, and in it every piece by its key. */
    PROCESS {
        @Override
        String memberOpen(String member, Map<String, Dumps.Source> parts) {
            return "{";
        }

        @Override
        String memberClose() {
            return "}\n";
        }
    },

    /** The same for each process, by its id. */
    CLUSTER {
        @Override
        String open() {
            return "{";
        }

        @Override
        String memberOpen(String member, Map<String, Dumps.Source> parts) {
            return quoted(member) + ":{";
        }

        @Override
        String memberFailed(String member, String sentence) {
            return quoted(member) + ":" + super.memberFailed(member, sentence);
        }

        @Override
        String memberClose() {
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
        String memberOpen(String member, Map<String, Dumps.Source> parts) {
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
        String memberClose() {
            return "]}\n";
        }
    };

    private static final String FAILURE = "error";

    Map<String, Dumps.Source> parts(Dumps dumps) {
        return dumps.parts();
    }

    String open() {
        return "";
    }

    abstract String memberOpen(String member, Map<String, Dumps.Source> parts);

    /** What stands in for a process that did not tell its parts. */
    String memberFailed(String member, String sentence) {
        return failed(member, sentence);
    }

    abstract String memberClose();

    String partOpen(String part) {
        return quoted(part) + ":{";
    }

    String piece(String key, String json) {
        return quoted(key) + ":" + json;
    }

    /** What stands in for the pieces of a part that did not tell their keys. */
    String partFailed(String sentence) {
        return quoted(FAILURE) + ":" + quoted(sentence);
    }

    String partClose() {
        return "}\n";
    }

    String close() {
        return "";
    }

    /** What stands in for a piece that could not be had. */
    String failed(String key, String sentence) {
        return "{" + quoted(FAILURE) + ":" + quoted(sentence) + "}";
    }

    private static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }
}
