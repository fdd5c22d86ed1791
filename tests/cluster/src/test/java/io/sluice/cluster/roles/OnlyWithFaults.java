package io.sluice.cluster.roles;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Marks a test that takes long and is skipped by default. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfSystemProperty(
        named = "cluster.faults",
        matches = "true",
        disabledReason = "takes a minute: mvn -Pcluster plays it, or -Dcluster.faults=true")
public @interface OnlyWithFaults {}
