package io.sluice.gateway.dump;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.sluice.shell.Dumps;
import java.util.Map;

/** How the pieces of a dump are combined into one JSON object. */
enum DumpShape {
    /** Every part of the process by its name, with each of its pieces by its key. */
    PROCESS {
        @Override
        String memberOpen(String pod, Map<String, Dumps.Source> parts) {
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
        String memberOpen(String pod, Map<String, Dumps.Source> parts) {
            return quoted(pod) + ":{";
        }

        @Override
        String memberFailed(String pod, String sentence) {
            return quoted(pod) + ":" + super.memberFailed(pod, sentence);
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

    /** The pods of the agent's runners as a list, in the shape of the reference's agent. */
    AGENT {
        private static final String PART = "agent";

        @Override
        Map<String, Dumps.Source> parts(Dumps dumps) {
            var parts = dumps.parts();
            return parts.containsKey(PART) ? Map.of(PART, parts.get(PART)) : Map.of();
        }

        @Override
        String memberOpen(String pod, Map<String, Dumps.Source> parts) {
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

    abstract String memberOpen(String pod, Map<String, Dumps.Source> parts);

    /** Returns what replaces a process that did not list its parts. */
    String memberFailed(String pod, String sentence) {
        return failed(pod, sentence);
    }

    abstract String memberClose();

    String partOpen(String part) {
        return quoted(part) + ":{";
    }

    String piece(String key, String json) {
        return quoted(key) + ":" + json;
    }

    /** Returns what replaces the pieces of a part that did not list its keys. */
    String partFailed(String sentence) {
        return quoted(FAILURE) + ":" + quoted(sentence);
    }

    String partClose() {
        return "}\n";
    }

    String close() {
        return "";
    }

    /** Returns what replaces a piece that could not be read. */
    String failed(String key, String sentence) {
        return "{" + quoted(FAILURE) + ":" + quoted(sentence) + "}";
    }

    private static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }
}
