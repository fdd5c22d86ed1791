package io.sluice.kube.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Marks a test that needs a control plane. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfSystemProperty(
        named = ControlPlane.PROGRAMS,
        matches = ".+",
        disabledReason = "needs a control plane: mvn -Pkube builds one and plays it")
public @interface OnKubernetes {}
