package io.sluice.messages.member;

import java.util.List;
import java.util.Objects;

/** A reply with part of a process's state. */
public sealed interface DumpReply {
    /** The most keys in a reply. */
    int KEYS_MAX = 1_000;

    /** The most characters of a piece in a reply. */
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
     * @param keys from the requested position on
     * @param more whether others follow
     */
    record Keys(List<String> keys, boolean more) implements DumpReply {
        public Keys {
            if (keys.size() > KEYS_MAX) {
                throw new IllegalArgumentException("a reply has at most " + KEYS_MAX + " keys");
            }
            keys = List.copyOf(keys);
        }
    }

    /**
     * Some of a piece.
     *
     * @param json from the requested position on
     * @param more whether more follows
     */
    record Slice(String json, boolean more) implements DumpReply {
        public Slice {
            if (json.length() > CHARACTERS_MAX) {
                throw new IllegalArgumentException("a reply has at most " + CHARACTERS_MAX + " characters");
            }
        }
    }

    /**
     * The state cannot be read.
     *
     * @param sentence why
     */
    record Failed(String sentence) implements DumpReply {
        public Failed {
            Objects.requireNonNull(sentence, "sentence");
        }
    }
}
