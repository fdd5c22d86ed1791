package io.sluice.shell.config;

import java.util.List;

/** All errors of a config, one sentence each; nothing was started with it. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A copy that can be serialized, as exceptions must be. */
    private final String[] sentences;

    /**
     * Carries the errors.
     *
     * @param errors one sentence each, at least one
     */
    public ConfigException(List<String> errors) {
        super(String.join("\n", errors));
        this.sentences = errors.toArray(String[]::new);
    }

    /** One sentence for each error, in the order in which they were found. */
    public List<String> errors() {
        return List.of(sentences);
    }
}
