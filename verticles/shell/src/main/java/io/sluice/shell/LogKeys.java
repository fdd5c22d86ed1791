package io.sluice.shell;

/** The only keys of log lines beside their message, except those of a trace, which {@code CurrentSpan} adds. */
public final class LogKeys {
    /** A VM, as {@code namespace/name}. */
    public static final String VM = "vm";

    /** A node's name. */
    public static final String NODE = "node";

    /** A pod, as {@code namespace/name}, or its uid where the name is unknown. */
    public static final String POD = "pod";

    /** The value of a goal's revision. */
    public static final String REVISION = "revision";

    /** An address of the bus. */
    public static final String ADDRESS = "address";

    /** A role of the process. */
    public static final String ROLE = "role";

    /** Why, in words. */
    public static final String REASON = "reason";

    /** How many. */
    public static final String COUNT = "count";

    /** When the first of several happened. */
    public static final String SINCE = "since";

    /** An amount of CPU and memory before. */
    public static final String FROM = "from";

    /** An amount of CPU and memory after. */
    public static final String TO = "to";

    /** A URL or host and port. */
    public static final String ENDPOINT = "endpoint";

    /** What was decided, or a kind of something. */
    public static final String KIND = "kind";

    /** The node of a target or of a destination. */
    public static final String TARGET = "target";

    /** A key of the configuration. */
    public static final String KEY = "key";

    /** What went wrong, in the text of the part that failed. */
    public static final String ERROR = "error";

    private LogKeys() {}
}
