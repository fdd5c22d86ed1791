package io.sluice.messages.member;

import java.util.List;
import java.util.Objects;

/** What a process lets people read of its state. */
public sealed interface DumpReply {
    /** No answer has more keys. */
    int KEYS_MAX = 1_000;

    /** No answer has more characters of a piece. */
    int CHARACTERS_MAX = 256 * 1024;

    /**
     * The parts.
     *
     * @param parts sorted
     */
    record Parts(List<String> parts) implements DumpReply {
        public Parts {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Some keys of a part.
     *
     * @param keys from where the question said
     * @param more whether there are others after them
     */
    record Keys(List<String> keys, boolean more) implements DumpReply {
        public Keys {
            if (keys.size() > KEYS_MAX) {
                throw new IllegalArgumentException("an answer has at most " + KEYS_MAX + " keys");
            }
            keys = List.copyOf(keys);
        }
    }

    /**
     * Some of a piece.
     *
     * @param json from where the question said
     * @param more whether there is more after it
     */
    record Slice(String json, boolean more) implements DumpReply {
        public Slice {
            if (json.length() > CHARACTERS_MAX) {
                throw new IllegalArgumentException("an answer has at most " + CHARACTERS_MAX + " characters");
            }
        }
    }

    /**
     * It cannot be read.
     *
     * @param sentence why
     */
    record Failed(String sentence) implements DumpReply {
        public Failed {
            Objects.requireNonNull(sentence, "sentence");
        }
    }
}
