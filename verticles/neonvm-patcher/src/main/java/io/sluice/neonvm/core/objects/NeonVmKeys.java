package io.sluice.neonvm.core.objects;

/**
 * The names by which NeonVM objects are found and annotated. They are an interface to other programs, so none may
 * change.
 */
public final class NeonVmKeys {
    /** The driver in the id of each VM that this module publishes. */
    public static final String DRIVER = "neonvm";

    /** API group of VirtualMachine. */
    public static final String GROUP = "vm.neon.tech";

    /** API version of VirtualMachine. */
    public static final String VERSION = "v1";

    /** Plural of VirtualMachine, as used in paths. */
    public static final String VMS = "virtualmachines";

    /** Plural of VirtualMachineMigration, as used in paths. */
    public static final String MIGRATIONS = "virtualmachinemigrations";

    /** Kind of a VM, as used in objects. */
    public static final String VM_KIND = "VirtualMachine";

    /** Kind of a migration, as used in objects. */
    public static final String MIGRATION_KIND = "VirtualMachineMigration";

    /** Annotation on a VM with the fence that the current session's patches match: {@code runner+version/n}. */
    public static final String FENCE = "internal.autoscaling.sluice.io/fence";

    static final String API_VERSION = GROUP + "/" + VERSION;
    static final String TRUE = "true";
    static final String ENABLED = "autoscaling.neon.tech/enabled";
    static final String MIGRATABLE = "autoscaling.neon.tech/auto-migration-enabled";
    static final String ALWAYS_MIGRATE = "autoscaling.neon.tech/testing-only-always-migrate";
    static final String BOUNDS = "autoscaling.neon.tech/bounds";
    static final String CONFIG = "autoscaling.neon.tech/config";
    static final String SCALING_UNIT = "autoscaling.neon.tech/scaling-unit";
    static final String REQUESTED = "internal.autoscaling.neon.tech/resources-requested";
    static final String APPROVED = "internal.autoscaling.neon.tech/resources-approved";
    static final String METRICS = "autoscaling.sluice.io/metrics";
    static final String FILE_CACHE = "autoscaling.sluice.io/file-cache";
    static final String MONITOR = "autoscaling.sluice.io/monitor";
    static final String CREATED_BY_SCHEDULER = "autoscaling.neon.tech/created-by-scheduler";
    static final String TOUCHED = "internal.autoscaling.sluice.io/touched";
    static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    static final String ROOM_ON = "internal.autoscaling.sluice.io/room-on";
    static final String ATTEMPT = "internal.autoscaling.sluice.io/attempt";
    static final String BILLED_TO = "autoscaling.neon.tech/billing-endpoint-id";
    static final String ENDPOINT_ID = "neon/endpoint-id";
    static final String PROJECT_ID = "neon/project-id";
    static final String POD_VM_NAME = "vm.neon.tech/name";
    static final String POD_USAGE = "vm.neon.tech/usage";

    private NeonVmKeys() {}
}
